// @ts-check
/** One seat of the felt: its cards, its spots with what lies there, and what the dealer's hands do at them. */
import { BACK, CARD_H, HAND_CARDS_MAX, chips, fan } from "./cards.js";
import { s } from "./dom.js";
import { ARROWS } from "./prompt.js";
import { capital, money, named, words } from "./words.js";

/** @typedef {{x: number, y: number, w: number, h: number, scale: number, pitch: number}} Place */
/**
 * What is drawn at a seat. A spot is a wager's name; `steps` are those of this seat.
 * @typedef {{seat: any, spots: string[], steps: any[], isAsked: boolean, hasButton: boolean, isOpenForBets: boolean, last?: number | null}} Shown
 */

const HEAD_H = 34;
/** How wide a letter of a name and a digit of an amount are at most. */
const LETTER_W = 11;
const DIGIT_W = 13;
const NAME_GAP = 20;
const ARROW_W = 18;
const SUMS_GAP = 4;
const HAND_LETTER_W = 9;
const HAND_LETTER_W_MIN = 6;
const HANDS_MAX = 4;
const UNSAID = /^(dealing|deciding|playing|open|standing|.*-due)$/;

/** @param {Shown} shown @param {Place} at */
export function drawSeat(shown, at) {
  const { seat, isAsked } = shown;
  // Who is asked is never dimmed, as the player who chooses the game before anybody has bet.
  const isEmpty = !isAsked && !seat.stakes.length && !shown.isOpenForBets;
  const classes = ["seat", isAsked && "asked", !isAsked && seat.reconciled && "done", isEmpty && "empty", seat.isMine && "mine"].filter(Boolean);
  const g = s("g", {
    class: classes.join(" "),
    transform: `translate(${at.x} ${at.y})`,
    "data-seat": seat.seat,
    role: "button",
    tabindex: 0,
    "aria-label": spoken(shown),
  });
  g.append(s("rect", { class: "plate", width: at.w, height: at.h, rx: 12 }));
  drawHead(g, shown, at);
  drawHands(g, handsOf(seat), at);
  const rows = [...shown.spots, ...seat.stakes.map((/** @type {any} */ one) => one.wager)];
  const spots = [...new Set(rows)];
  spots.forEach((spot, row) => {
    const y = at.h - 6 - at.pitch * (spots.length - row - 0.5);
    g.append(drawSpot(shown, spot, y, at));
  });
  return g;
}

/** @param {Shown} shown */
function spoken({ seat, steps, last = null }) {
  const stakes = seat.stakes.map((/** @type {any} */ one) => `${named(words.spots, one.wager)} ${money(one.stake_cents)}`);
  const due = steps.map((step) => `${named(words.steps, step.action)} ${money(step.amount_cents)}`);
  const before = last === null ? [] : [words.lastRound(money(last))];
  return [words.seat(seat.seat), ...due, ...stakes, ...before].join(", ");
}

/** @param {SVGElement} g @param {Shown} shown @param {Place} at */
function drawHead(g, { seat, hasButton, last = null }, at) {
  g.append(s("circle", { class: "number", cx: 20, cy: 18, r: 14 }));
  g.append(s("text", { class: "number", x: 20, y: 25, "text-anchor": "middle" }, String(seat.seat)));
  if (hasButton) {
    g.append(s("circle", { class: "bank", cx: 50, cy: 18, r: 11 }));
    g.append(s("text", { class: "banktext", x: 50, y: 23, "text-anchor": "middle" }, words.bank));
  }
  const net = last ?? seat.results.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.pays_cents, 0);
  if (last !== null || seat.reconciled || seat.results.length) {
    const how = net > 0 ? "won" : net < 0 ? "lost" : "even";
    const text = `${net > 0 ? "+" : ""}${money(net)}`;
    g.append(s("text", { class: `net ${how}`, x: at.w - 10, y: 26, "text-anchor": "end" }, text));
  }
  if (seat.reconciled) g.append(s("path", { class: "tick", d: `M${hasButton ? 68 : 42} 18l6 7 11-15` }));
}

/** @param {any} seat @returns {{faces: (string | null)[], said: string}[]} */
function handsOf(seat) {
  if (seat.hands.length) {
    return seat.hands.map((/** @type {any} */ hand) => ({
      faces: hand.cards,
      said: [hand.soft && hand.state !== "natural" && words.soft, hand.total, hand.doubled && words.doubled, !UNSAID.test(hand.state) && named(words.handStates, hand.state)]
        .filter((word) => word || word === 0)
        .join(" "),
    }));
  }
  // What only this seat's player sees, and then what lies open for everybody.
  const own = seat.held?.length ? seat.held : seat.open_cards?.length ? seat.open_cards : null;
  if (own && !seat.settled?.cards.length) return [{ faces: own, said: "" }];
  const open = seat.settled?.cards.length ? seat.settled : seat.first_5?.cards.length ? seat.first_5 : null;
  if (open) {
    const total = open.total === null || open.total === undefined ? [] : [open.total];
    return [{ faces: open.cards, said: [...(open.hand ? [named(words.hands, open.hand)] : []), ...total].join(" · ") }];
  }
  if (seat.reconciled || (seat.cards_dealt === null && !seat.delivered)) return []; // a fold's cards were collected
  const said = seat.draws !== null ? words.draws(seat.draws) : seat.delivered ? "" : words.inTheTray;
  // One back is a hand of which nobody has counted the cards.
  return [{ faces: Array(Math.min(seat.cards_dealt ?? 1, HAND_CARDS_MAX)).fill(BACK), said }];
}

/** @param {SVGElement} g @param {{faces: (string | null)[], said: string}[]} hands @param {Place} at */
function drawHands(g, hands, at) {
  const shown = hands.slice(0, HANDS_MAX), width = (at.w - 14) / Math.max(1, shown.length);
  const scale = shown.length > 1 ? Math.min(at.scale, 0.78) : at.scale;
  shown.forEach((hand, i) => hand.faces.length && g.append(fan(hand.faces, 7 + width * i, HEAD_H, width - 2, scale)));
  const said = hands.map((hand) => capital(hand.said)).filter(Boolean).join(" / ");
  if (!said) return;
  const room = Math.floor(at.w / HAND_LETTER_W_MIN), text = said.length > room ? `${said.slice(0, room - 1)}…` : said;
  const y = HEAD_H + CARD_H * at.scale + 19;
  const isWide = text.length * HAND_LETTER_W > at.w - 14;
  const squeezed = isWide ? { textLength: at.w - 14, lengthAdjust: "spacingAndGlyphs" } : {};
  g.append(s("text", { class: "hand", x: at.w / 2, y, "text-anchor": "middle", ...squeezed }, text));
}

/**
 * What is taken and what goes back from one spot: two amounts, each with its arrow, as in the word above.
 * @param {[string, number][]} sums @param {number} y @param {number} room
 */
function drawSums(sums, y, room) {
  const drawn = sums.map(([action, sum]) => ({ action, text: money(sum) }));
  const width = drawn.reduce((all, { text }) => all + ARROW_W + text.length * DIGIT_W + SUMS_GAP, 0), scale = Math.min(1, room / width);
  const g = s("g", { transform: `translate(33 ${y}) scale(${scale} 1)` });
  let x = 0;
  for (const { action, text } of drawn) {
    g.append(s("g", { class: action }, s("path", { class: "arrow", transform: `translate(${x} -8) scale(1.3)`, d: ARROWS[action] }), s("text", { class: "amount", x: x + ARROW_W, y: 7.5 }, text)));
    x += ARROW_W + text.length * DIGIT_W + SUMS_GAP;
  }
  return g;
}

/** @param {Shown} shown @param {string} spot @param {number} y @param {Place} at */
function drawSpot({ seat, steps }, spot, y, at) {
  const stakes = seat.stakes.filter((/** @type {any} */ one) => one.wager === spot);
  const cents = stakes.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.stake_cents, 0);
  const result = seat.results.find((/** @type {any} */ one) => one.wager === spot);
  const due = steps.filter((step) => step.spot === spot && step.amount_cents);
  const isOver = result && !due.length, isGone = isOver && result.returned_cents === 0;
  // Of a stake of which a part was taken, the rest went back: what is left is dimmed with the spots that lost.
  const left = isOver && !isGone && result.returned_cents < cents ? result.returned_cents : null;
  const classes = ["spot", due[0]?.action, isGone && "gone", left !== null && "partly", !cents && "free"].filter(Boolean);
  const line = s("g", { class: classes.join(" ") });
  if (due.length) {
    line.append(s("rect", { class: "doing", x: 3, y: y - at.pitch / 2 + 1, width: at.w - 6, height: at.pitch - 2, rx: 6 }));
  }
  if (cents && !isGone) line.append(chips(cents, 18, y + 2, at.pitch * 0.33));
  else line.append(s("circle", { class: "bare", cx: 18, cy: y, r: at.pitch * 0.28 }));
  const sums = new Map();
  for (const step of due) sums.set(step.action, (sums.get(step.action) ?? 0) + step.amount_cents);
  if (sums.size > 1) {
    line.append(drawSums([...sums], y, at.w - 33 - NAME_GAP / 2));
    return line;
  }
  const label = due.length ? named(words.steps, due[0].action) : named(words.spots, spot);
  const colour = stakes[0]?.colour;
  if (colour) line.append(s("circle", { class: `named ${colour}`, cx: at.w - 62, cy: y, r: 6 }));
  const amount = sums.get(due[0]?.action) ?? left ?? cents, text = amount ? money(amount) : "";
  if (amount) line.append(s("text", { class: "amount", x: at.w - 9, y: y + 7.5, "text-anchor": "end" }, text));
  // A name that would run into its amount is drawn narrower: the amount is what must be read.
  const room = at.w - 33 - NAME_GAP - text.length * DIGIT_W - (colour ? 20 : 0);
  const squeezed = label.length * LETTER_W > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
  line.append(s("text", { class: "spotname", x: 33, y: y + 6, ...squeezed }, label));
  return line;
}
