// @ts-check
/** The pit: all tables of the site on one board, and beside it who needs somebody, the worst first. */
import { PitDesk, Said } from "./desk.js";
import { h, redraw } from "./dom.js";
import { Needs } from "./needs.js";
import { Tile } from "./tile.js";
import { troubleOf, UNREAD } from "./trouble.js";
import { WALL, words } from "./words.js";

/** With more tables a felt is too small to be read, and a tile has words only. */
const FELTS_MAX = 6;
/** With more tables a board of tiles is too long, and it becomes a list. */
const TILES_MAX = 60;
/** On a 43" screen of 1920 dots a text is read at one metre if it is so high: 16 minutes of arc. */
const DOTS_A_METRE = 13;

export class Pit {
  /** @param {import("./stream.js").Stream} stream @param {HTMLElement} root @param {string} [wanted] the table at which somebody wants to do something */
  constructor(stream, root, wanted) {
    this.wanted = wanted;
    this.stream = stream;
    /** @type {Map<string, Tile>} */
    this.tiles = new Map();
    /** States that could not be read, by table. @type {Map<string, any>} */
    this.unread = new Map();
    /** @type {PitDesk | undefined} */
    this.at = undefined;
    this.said = new Said();
    this.needs = new Needs(this);
    this.strip = h("header", { class: "strip" });
    this.board = h("section", { class: "board", "aria-label": words.pit });
    this.veil = h("div", { class: "veil", role: "alert", hidden: true });
    this.root = h("div", { class: "pit" }, this.strip, this.board, this.needs.made, this.said.made, this.veil);
    const metres = parseFloat(new URLSearchParams(location.search).get("wall") ?? "");
    this.isWall = metres > 0;
    if (this.isWall) {
      // Nobody presses on a wall; who set it up gets back by its strip, or by Escape.
      const leave = () => location.assign(`${location.pathname}#/pit`);
      this.strip.addEventListener("click", leave);
      addEventListener("keydown", (event) => event.key === "Escape" && leave());
      this.root.classList.add("wall");
      this.root.style.setProperty("--read", `${Math.round(DOTS_A_METRE * Math.min(metres, 8))}px`);
    }
    root.replaceChildren(this.root);
    document.title = words.pit;
    stream.addEventListener("change", () => this.show());
    stream.addEventListener("tick", () => this.tick());
    this.show();
  }

  /** @param {string} name @returns {PitDesk} */
  desk(name) {
    return new PitDesk(this, name);
  }

  /** Open what is done at one table, in place of what is open. @param {string} name */
  async open(name) {
    const { openTable } = await import("./table-sheet.js");
    this.at?.sheet?.close();
    this.at = this.desk(name);
    openTable(this.at);
  }

  /** @param {import("./stream.js").Told} told */
  troubleAt(told) {
    let trouble = UNREAD;
    if (this.unread.get(told.table) !== told.state) this.attempt(told, () => (trouble = troubleOf(told)));
    return trouble;
  }

  /**
   * Draw a part of one table. A state that cannot be read stands as that from the next frame on: the board belongs to
   * the other tables too. @param {import("./stream.js").Told} told @param {() => void} draw @returns {boolean}
   */
  attempt(told, draw) {
    try {
      draw();
      return true;
    } catch (error) {
      console.warn(told.table, error);
      this.unread.set(told.table, told.state);
      this.stream.say();
      return false;
    }
  }

  show() {
    const all = [...this.stream.tables.values()].filter((told) => told.state);
    const isList = all.length > TILES_MAX, hasFelts = all.length <= FELTS_MAX;
    const ranked = all.map((told) => ({ told, trouble: this.troubleAt(told) }));
    ranked.sort((a, b) => (isList ? b.trouble.level - a.trouble.level : 0) || byName(a.told.table, b.told.table));
    this.board.className = `board ${hasFelts ? "felts" : isList ? "list" : "tiles"}`;
    this.board.dataset.tables = String(all.length);
    ranked.forEach(({ told, trouble }, place) => {
      let tile = this.tiles.get(told.table);
      if (!tile) this.tiles.set(told.table, (tile = new Tile(told.table, () => this.open(told.table))));
      if (this.board.children[place] !== tile.made) this.board.insertBefore(tile.made, this.board.children[place] ?? null);
      const shown = tile;
      this.attempt(told, () => shown.show(told, trouble, hasFelts));
    });
    const needing = ranked.filter(({ trouble }) => trouble.level > 0);
    this.needs.show(needing);
    this.needing = needing.length;
    if (this.wanted && this.tiles.has(this.wanted)) {
      this.open(this.wanted);
      this.wanted = undefined;
    }
    const { at } = this;
    if (at?.sheet && at.told) this.attempt(at.told, () => at.table && at.sheet?.update?.(at.table));
    this.tick();
  }

  /** What changes with time alone. */
  tick() {
    const { isLive, user, silentS } = this.stream, tables = this.tiles.size, clock = new Date().toTimeString().slice(0, 5);
    redraw(this.strip, [tables, this.needing, isLive, user, clock], () => [
      h("b", {}, this.isWall ? `‹ ${words.pit}` : words.pit),
      this.isWall ? null : h("a", { class: "to-wall", href: WALL }, words.wall),
      h("span", { class: "tables" }, words.tables(tables)),
      this.needing ? h("span", { class: "needing" }, words.needing(this.needing)) : null,
      h("span", { class: "gap" }),
      h("span", { class: "clock" }, clock),
      h("a", { class: "who", href: "#/login" }, user || words.notLoggedIn),
      h("span", { class: `link ${isLive ? "" : "off"}` }, isLive ? words.live : words.notLive),
    ]);
    this.root.classList.toggle("stale", !isLive);
    this.veil.hidden = isLive || !this.stream.heardMs;
    const text = words.staleBoard(Math.round(silentS));
    if (!isLive && this.veil.textContent !== text) this.veil.textContent = text;
    this.needs.tick();
  }
}

/** @param {string} a @param {string} b */
const byName = (a, b) => a.localeCompare(b, undefined, { numeric: true });
