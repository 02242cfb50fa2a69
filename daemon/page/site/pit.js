// @ts-check
/** The pit: all tables of the site on one board, and beside it who needs somebody, the worst first. */
import { h, redraw } from "./dom.js";
import "./felt.js";
import { asked } from "./stream.js";
import { drawDevice } from "./strip.js";
import { money, named, words } from "./words.js";

/** With more tables a felt is too small to be read, and a tile has words only. */
const FELTS_MAX = 6;
/** With more tables a board of tiles is too long, and it becomes a list. */
const TILES_MAX = 60;

/**
 * How bad it is: 5 nobody knows, 4 interrupted, 3 held, 2 blocked, 1 an alert or a device, 0 nothing.
 * @param {import("./stream.js").Told} told @param {boolean} isLive @returns {[number, string]}
 */
function trouble(told, isLive) {
  const table = told.state?.table, status = told.status?.status;
  if (!isLive) return [5, words.notLive];
  if (status !== "running") return [5, words.lost];
  if (!table) return [0, ""];
  if (table.phase === "interrupted") return [4, words.phases.interrupted];
  if (table.phase === "held") return [3, words.phases.held];
  if (table.alerts.some((/** @type {any} */ alert) => alert.blocks_play)) return [2, words.blocked];
  const isOff = table.devices.some((/** @type {any} */ one) => one.presence !== "up" || one.faults.length);
  return table.alerts.length || isOff ? [1, words.alert] : [0, ""];
}

export class Pit {
  /** @param {import("./stream.js").Stream} stream @param {HTMLElement} root */
  constructor(stream, root) {
    this.stream = stream;
    /** @type {Map<string, ReturnType<typeof tile>>} */
    this.tiles = new Map();
    /** Since when each table needs somebody, as far as this page saw it. @type {Map<string, number>} */
    this.since = new Map();
    this.strip = h("header", { class: "strip" });
    this.board = h("section", { class: "board" });
    this.needs = h("ul", { class: "needs" });
    const aside = h("aside", {}, h("h2", {}, words.needsSomebody), this.needs);
    root.replaceChildren(h("div", { class: "pit" }, this.strip, this.board, aside));
    document.title = words.pit;
    stream.addEventListener("change", () => this.show());
    stream.addEventListener("tick", () => this.show());
    this.show();
  }

  show() {
    const isLive = this.stream.isLive;
    const all = [...this.stream.tables.values()].filter((told) => told.state);
    const ranked = all.map((told) => ({ told, trouble: trouble(told, isLive) }));
    const isList = all.length > TILES_MAX;
    ranked.sort((a, b) => (isList ? b.trouble[0] - a.trouble[0] : 0) || a.told.table.localeCompare(b.told.table, undefined, { numeric: true }));
    this.board.className = `board ${all.length <= FELTS_MAX ? "felts" : isList ? "list" : "tiles"}`;
    for (const [i, each] of ranked.entries()) this.showTile(each.told, each.trouble, i);
    this.showNeeds(ranked.filter((each) => each.trouble[0] > 0));
    const needing = ranked.filter((each) => each.trouble[0] > 0).length;
    redraw(this.strip, [all.length, needing, isLive, this.stream.user, new Date().toTimeString().slice(0, 5)], () => [
      h("b", {}, words.pit),
      h("span", {}, words.tables(all.length)),
      h("span", {}, `${words.needsSomebody}: ${needing}`),
      h("span", { class: "gap" }),
      h("span", {}, new Date().toTimeString().slice(0, 5)),
      h("a", { class: "who", href: "#/login" }, this.stream.user || words.notLoggedIn),
      h("span", { class: `link ${isLive ? "" : "off"}` }, isLive ? words.live : words.notLive),
    ]);
  }

  /** @param {import("./stream.js").Told} told @param {[number, string]} trouble @param {number} place */
  showTile(told, [level, word], place) {
    let kept = this.tiles.get(told.table);
    if (!kept) this.tiles.set(told.table, (kept = tile(told.table)));
    if (this.board.children[place] !== kept.tile) this.board.insertBefore(kept.tile, this.board.children[place] ?? null);
    const table = told.state.table, ask = asked(told);
    kept.tile.dataset.level = String(level);
    const hasFelt = this.board.classList.contains("felts");
    if (hasFelt && !kept.felt.isConnected) kept.middle.append(kept.felt);
    if (!hasFelt) kept.felt.remove();
    else kept.felt.show(table, ask);
    const staked = table.seats
      .flatMap((/** @type {any} */ seat) => seat.stakes)
      .reduce((/** @type {number} */ sum, /** @type {any} */ stake) => sum + stake.stake_cents, 0);
    redraw(kept.head, [table.game, table.phase, table.round_number, word], () => [
      h("b", {}, told.table),
      h("span", {}, named(words.games, table.game)),
      h("span", { class: "gap" }),
      h("span", { class: "phase" }, word || named(words.phases, table.phase)),
      h("span", {}, words.round(table.round_number)),
    ]);
    redraw(kept.word, ask.sentence, () => [ask.sentence]);
    redraw(kept.foot, [staked, table.devices, table.opened], () => [
      h("span", {}, words.onTheFelt(money(staked))),
      ...table.devices.map(drawDevice),
      table.opened ? null : h("span", { class: "device lost" }, words.tableClosed),
    ]);
  }

  /** @param {{told: import("./stream.js").Told, trouble: [number, string]}[]} needing */
  showNeeds(needing) {
    const names = new Set(needing.map((each) => each.told.table));
    for (const table of this.since.keys()) if (!names.has(table)) this.since.delete(table);
    for (const table of names) if (!this.since.has(table)) this.since.set(table, Date.now());
    const rows = needing.map(({ told, trouble: [level, word] }) => {
      const table = told.state.table;
      const since = Number(this.since.get(told.table));
      return { name: told.table, level, word, since, message: whatIsWrong(told), round: table.round_id };
    });
    rows.sort((a, b) => b.level - a.level || a.since - b.since);
    const shown = rows.map((row) => ({ ...row, age: words.seconds(Math.round((Date.now() - row.since) / 1000)) }));
    redraw(this.needs, shown, () => {
      if (!shown.length) return [h("li", { class: "quiet" }, words.nobodyNeeded)];
      return shown.map((row) =>
        h(
          "li",
          { "data-level": row.level },
          h("header", {}, h("b", {}, row.name), h("span", {}, row.word), h("time", {}, row.age)),
          h("p", {}, row.message),
          h(
            "nav",
            {},
            h("a", { href: `#/dealer/${encodeURIComponent(row.name)}` }, words.look),
            row.round ? h("a", { href: `#/rounds/${encodeURIComponent(row.name)}/${encodeURIComponent(row.round)}` }, words.evidence) : null,
          ),
        ),
      );
    });
  }
}

/** @param {import("./stream.js").Told} told @returns {string} */
function whatIsWrong(told) {
  const table = told.state.table;
  if (told.status?.status !== "running") return words.gone;
  if (table.phase === "held" || table.phase === "interrupted") return table.standstill?.reason ?? table.prompt;
  const alert = table.alerts.find((/** @type {any} */ one) => one.blocks_play) ?? table.alerts[0];
  if (alert) return alert.message;
  const device = table.devices.find((/** @type {any} */ one) => one.presence !== "up" || one.faults.length);
  return device ? [device.device, named(words.presences, device.presence), ...device.faults].join(" ") : table.prompt;
}

/** @param {string} name */
function tile(name) {
  const head = h("header"), word = h("p"), foot = h("footer"), middle = h("div", { class: "middle" });
  const felt = /** @type {import("./felt.js").FeltTable} */ (h("felt-table"));
  const made = h("a", { class: "tile", href: `#/dealer/${encodeURIComponent(name)}` }, head, word, middle, foot);
  return { tile: made, head, word, foot, middle, felt };
}
