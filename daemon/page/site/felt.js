// @ts-check
/** The table as it lies before the dealer, who stands below: seat 1 at their left hand, the far side an arc. */
import { BACK, HAND_CARDS_MAX, fan } from "./cards.js";
import { s } from "./dom.js";
import { drawSeat } from "./seat.js";
import { named, words } from "./words.js";

const WIDTH = 1024;
const NARROW_W = 360;
const FAN_W = 150;
const NO_BETS_YET = ["idle", "choosing", "betting"];

/** The names of the table's spots in the order of its felt. @param {any} table @returns {string[]} */
export const spotsOf = (table) => table.spots.map((/** @type {any} */ spot) => spot.wager);

/** `<felt-table>`: draws only the seats whose picture changed. */
export class FeltTable extends HTMLElement {
  constructor() {
    super();
    /** @type {Map<string, {print: string, node: SVGElement}>} */
    this.kept = new Map();
    this.layout = "";
    /** @type {number | null} */
    this.wasAsked = null;
    /** @type {import("./seat.js").Place[]} */
    this.places = [];
    this.home = { x: 0, y: 0, scale: 1 };
    this.svg = s("svg", { role: "group" });
  }

  connectedCallback() {
    this.append(this.svg);
    this.sizes = new ResizeObserver(() => this.last && this.show(...this.last));
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    this.sizes?.disconnect();
  }

  /**
   * @param {any} table the state's table
   * @param {{seat: number | null, steps: any[]}} ask
   * @param {boolean} [isNarrow] two columns of seats, for a phone
   */
  show(table, ask, isNarrow = false) {
    this.last = /** @type {const} */ ([table, ask, isNarrow]);
    const spots = spotsOf(table);
    this.lay(table.seats.length, spots.length, isNarrow);
    // What the last round came to stays where it was won until chips lie there again.
    const isOver = NO_BETS_YET.includes(table.phase) && table.seats.every((/** @type {any} */ seat) => !seat.stakes.length);
    const last = (isOver && table.rounds?.[0]?.nets) || [];
    for (const [i, seat] of table.seats.entries()) {
      const shown = {
        seat,
        spots,
        steps: ask.steps.filter((step) => (step.seat ?? ask.seat) === seat.seat),
        isAsked: ask.seat === seat.seat,
        last: last.find((/** @type {any} */ one) => one.seat === seat.seat)?.net_cents ?? null,
        hasButton: table.button === seat.seat,
        isOpenForBets: table.phase === "betting",
      };
      this.put(`seat ${seat.seat}`, shown, () => drawSeat(shown, this.places[i]));
    }
    const { dealer_gives_up, dealer_total, shoe, game, variant } = table;
    this.put("house", [dealersOf(table), dealer_gives_up, dealer_total, commonOf(table), shoe, game, variant], () => drawHouse(table, this.home, isNarrow));
    if (isNarrow && ask.seat !== this.wasAsked) this.querySelector(".asked")?.scrollIntoView({ block: "center" });
    this.wasAsked = ask.seat;
  }

  /** @param {string} name @param {any} shown @param {() => SVGElement} draw */
  put(name, shown, draw) {
    const kept = this.kept.get(name), print = JSON.stringify(shown);
    if (kept?.print === print) return;
    const node = draw();
    if (kept) kept.node.replaceWith(node);
    else this.svg.append(node);
    this.kept.set(name, { print, node });
  }

  /** Work out the places, again where the number of seats or the room for them changed. @param {number} seats @param {number} spots @param {boolean} isNarrow */
  lay(seats, spots, isNarrow) {
    const ratio = this.clientHeight / (this.clientWidth || 1);
    const high = isNarrow ? 0 : Math.round(Math.min(640, Math.max(330, WIDTH * ratio)) / 10) * 10;
    const layout = `${seats} ${spots} ${high}`;
    if (layout === this.layout) return;
    this.layout = layout;
    this.kept.clear();
    this.svg.replaceChildren();
    if (isNarrow) this.layInColumns(seats, spots);
    else this.layInAnArc(seats, spots, high);
  }

  /** @param {number} seats @param {number} spots */
  layInColumns(seats, spots) {
    const pitch = 25, h = 34 + 58 + 24 + spots * pitch + 8, top = 84;
    this.places = Array.from({ length: seats }, (_, i) => {
      return { x: 8 + (i % 2) * 176, y: top + Math.floor(i / 2) * (h + 8), w: 168, h, scale: 1, pitch };
    });
    this.home = { x: NARROW_W / 2, y: 2, scale: 1 };
    this.svg.setAttribute("viewBox", `0 0 ${NARROW_W} ${top + Math.ceil(seats / 2) * (h + 8)}`);
  }

  /** @param {number} seats @param {number} spots @param {number} high */
  layInAnArc(seats, spots, high) {
    const gap = (WIDTH - 12) / seats, w = Math.min(184, gap - 6), arc = Math.min(54, high * 0.11), home = high * 0.25;
    const h = Math.min(high - home - arc - 12, 400), text = 34 + 26 + 6;
    const pitch = Math.min(38, Math.max(23, (h - text - 58) / spots));
    const scale = Math.min(1.35, Math.max(0.8, (h - text - spots * pitch) / 58));
    this.places = Array.from({ length: seats }, (_, i) => {
      const off = seats > 1 ? (i - (seats - 1) / 2) / ((seats - 1) / 2) : 0;
      return { x: 6 + gap * (i + 0.5) - w / 2, y: 6 + arc * off * off, w, h, scale, pitch };
    });
    this.home = { x: WIDTH / 2, y: high - home - 2, scale: Math.min(1.5, home / 90) };
    this.svg.setAttribute("viewBox", `0 0 ${WIDTH} ${high}`);
    const edge = `V${arc + 60} Q${WIDTH / 2} ${-arc - 40} ${WIDTH - 4} ${arc + 60} V${high}`;
    const inner = `V${h + 34} Q${WIDTH / 2} ${h - 12} ${WIDTH - LINE_X} ${h + 34} V${high - 4}`;
    this.svg.append(
      s("path", { class: "rail", d: `M4 ${high} ${edge}` }),
      s("path", { class: "line", d: `M${LINE_X} ${high - 4} ${inner}` }),
    );
  }
}
customElements.define("felt-table", FeltTable);

/** How far the line on the felt is from its sides: what lies inside keeps clear of it, and the name of the shoe. */
const LINE_X = 190;
const CLEAR_W = 10;
const SHOE_W = 130;
const SHOE_LABEL_W = 190;
const SHOE_SCALE_MAX = 1.2;
const NAME_LETTER_W = 28;
const LABEL_LETTER_W = 12;

/** Cards that lie open, and those that lie face down. @param {string[]} open @param {number} [backs] @returns {string[]} */
const lying = (open, backs = 0) => [...open, ...Array(Math.min(backs, HAND_CARDS_MAX)).fill(BACK)];
const dealersOf = (/** @type {any} */ table) => lying(table.dealer_cards, table.dealer_backs);
const commonOf = (/** @type {any} */ table) => lying(table.community_cards, table.community_backs);

/** The dealer's and the common cards, the shoe, and the game's name while no card lies there. @param {any} table @param {{x: number, y: number, scale: number}} at @param {boolean} isNarrow */
function drawHouse(table, at, isNarrow) {
  const scale = table.shoe ? Math.min(SHOE_SCALE_MAX, at.scale) : at.scale, half = (WIDTH / 2 - LINE_X) / scale - CLEAR_W;
  const g = s("g", { class: "house", transform: `translate(${at.x} ${at.y}) scale(${scale})` });
  const common = commonOf(table), own = dealersOf(table);
  const label = (/** @type {number} */ x, /** @type {string} */ text, anchor = "middle") => {
    const squeezed = text.length * LABEL_LETTER_W > FAN_W && anchor === "middle" ? { textLength: FAN_W, lengthAdjust: "spacingAndGlyphs" } : {};
    return s("text", { class: "label", x, y: 80, "text-anchor": anchor, ...squeezed }, text);
  };
  if (common.length) g.append(fan(common, -FAN_W - 8, 4, FAN_W), label(-FAN_W / 2 - 8, words.inCommon));
  if (own.length) {
    g.append(fan(own, common.length ? 8 : -FAN_W / 2, 4, FAN_W, 1, table.dealer_gives_up), label(common.length ? FAN_W / 2 + 8 : 0, [words.dealer, table.dealer_total].filter(Boolean).join(" ")));
  }
  if (!own.length && !common.length) {
    const name = table.variant ? named(words.variants, table.variant) : named(words.games, table.game);
    const right = table.shoe && !isNarrow ? half - SHOE_LABEL_W : half, room = isNarrow ? NARROW_W - 2 * CLEAR_W : right + half;
    const squeezed = name.length * NAME_LETTER_W > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
    g.append(s("text", { class: "gamename", x: (right - half) / 2, y: 50, "text-anchor": "middle", ...squeezed }, name.toUpperCase()));
  }
  if (table.shoe && !isNarrow) drawShoe(g, table.shoe, half, label);
  return g;
}

/** @param {SVGElement} g @param {any} shoe @param {number} right @param {(x: number, text: string, anchor: string) => SVGElement} label */
function drawShoe(g, shoe, right, label) {
  const all = shoe.decks * 52, left = Math.max(0, all - shoe.cards_gone), at = { x: right - SHOE_W, y: 40, height: 16, rx: 4 };
  g.append(s("rect", { class: "shoe", width: SHOE_W, ...at }));
  g.append(s("rect", { class: `shoeleft${shoe.is_last_round ? " last" : ""}`, width: (SHOE_W * left) / all, ...at }));
  g.append(label(right, words.shoe(left, all), "end"));
}
