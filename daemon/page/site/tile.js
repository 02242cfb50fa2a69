// @ts-check
/** One table on the pit's board: a felt, a tile of words, or a row of the list. */
import { h, redraw } from "./dom.js";
import "./felt.js";
import { asked } from "./stream.js";
import { drawDevice } from "./strip.js";
import { troubleMark, UNREAD } from "./trouble.js";
import { capital, money, named, words } from "./words.js";

export class Tile {
  /** @param {string} name @param {() => void} open */
  constructor(name, open) {
    this.name = name;
    this.head = h("header");
    this.word = h("p");
    this.middle = h("div", { class: "middle", inert: true });
    this.foot = h("footer");
    this.felt = /** @type {import("./felt.js").FeltTable} */ (h("felt-table"));
    // The whole tile is touched. What it shows is in the key's name, for a screen reader.
    this.key = h("button", { type: "button", class: "cover", click: open });
    this.made = h("article", { class: "tile", "data-table": name }, this.head, this.word, this.middle, this.foot, this.key);
  }

  /** @param {import("./stream.js").Told} told @param {import("./trouble.js").Trouble} trouble @param {boolean} hasFelt */
  show(told, trouble, hasFelt) {
    if (trouble === UNREAD) return this.showUnread();
    const table = told.state.table, ask = asked(told), { level, word } = trouble;
    const isStopped = told.status?.status === "stopped" && !level;
    this.made.dataset.level = String(level);
    this.made.classList.toggle("stopped", isStopped || level === 5);
    if (!hasFelt) this.felt.remove();
    else {
      if (!this.felt.isConnected) this.middle.append(this.felt);
      this.felt.show(table, ask);
    }
    const state = capital(word || (isStopped ? words.off : named(words.phases, table.phase)));
    redraw(this.head, [table.game, state, level, table.round_number], () => [
      h("b", {}, this.name),
      h("span", { class: "game" }, named(words.games, table.game)),
      h("span", { class: "gap" }),
      h("span", { class: "phase" }, level ? troubleMark(level) : null, state),
      h("span", { class: "round" }, words.round(table.round_number)),
    ]);
    const said = level ? trouble.message : ask.sentence;
    redraw(this.word, said, () => [said]);
    const staked = stakedOn(table);
    redraw(this.foot, [staked, table.devices, table.opened], () => [
      h("span", { class: "staked" }, words.onTheFelt(money(staked))),
      ...table.devices.map(drawDevice),
      table.opened ? null : h("span", { class: "device lost" }, words.tableClosed),
    ]);
    const label = [this.name, named(words.games, table.game), state, said].filter(Boolean).join(", ");
    if (this.key.getAttribute("aria-label") !== label) this.key.setAttribute("aria-label", label);
  }

  /** Show the name, and that nothing else can be read. */
  showUnread() {
    const { level, word, message } = UNREAD;
    this.made.dataset.level = String(level);
    this.felt.remove();
    redraw(this.head, word, () => [h("b", {}, this.name), h("span", { class: "gap" }), h("span", { class: "phase" }, troubleMark(level), word)]);
    redraw(this.word, message, () => [message]);
    redraw(this.foot, null, () => []);
    this.key.setAttribute("aria-label", `${this.name}, ${word}, ${message}`);
  }
}

/** All stakes that lie on the felt, in cents. @param {any} table @returns {number} */
export function stakedOn(table) {
  return table.seats
    .flatMap((/** @type {any} */ seat) => seat.stakes)
    .reduce((/** @type {number} */ sum, /** @type {any} */ stake) => sum + stake.stake_cents, 0);
}
