// @ts-check
/** Cards as shapes: no font decides what a rank or a suit looks like. */
import { s } from "./dom.js";
import { words } from "./words.js";

/** Strokes in a box of 10 by 14. @type {Record<string, string>} */
const RANKS = {
  A: "M.8 14 5 .3 9.2 14M2.5 9.2H7.5",
  K: "M1.4.2V14M9.2.2 1.6 8M4.2 5.4 9.4 14",
  Q: "M5 .3A4.2 6.6 0 1 0 5 13.6 4.2 6.6 0 1 0 5 .3M5.6 10 9.2 14.2",
  J: "M7.8.2V9.6A3.3 4.1 0 0 1 1.2 9.8",
  T: "M.2 3 2 .6V14M7.2.4A2.9 6.7 0 1 0 7.2 13.8 2.9 6.7 0 1 0 7.2.4",
  9: "M9 4.5A4 4.2 0 1 0 1 4.5 4 4.2 0 1 0 9 4.5C9 9.5 7.4 12.6 3.6 14",
  8: "M5 .3A3.4 3.1 0 1 0 5 6.5 3.4 3.1 0 1 0 5 .3M5 6.5A4.1 3.7 0 1 0 5 13.9 4.1 3.7 0 1 0 5 6.5",
  7: "M.8.5H9.2L4 14",
  6: "M1 9.6A4 4.2 0 1 0 9 9.6 4 4.2 0 1 0 1 9.6C1 4.6 2.6 1.5 6.4.1",
  5: "M8.6.5H2.2L1.5 6.5C3.2 5 9.1 4.7 9.1 9.4 9.1 14.7 3 14.9.9 12.2",
  4: "M7 14V.5L.7 9.9H9.5",
  3: "M1.2 1.9C2.8-.7 8.5-.4 8.5 3.4 8.5 6.2 5.6 6.5 4.2 6.5 6.2 6.5 9.1 7 9.1 10.2 9.1 14.8 2.8 15 .8 12",
  2: "M1.1 3.8C1.1-.9 8.9-.9 8.9 3.7 8.9 7.3 2.6 10 1 13.6H9.3",
};

/** Filled, in a box of 10 by 10. @type {Record<string, string>} */
const SUITS = {
  h: "M5 9.7C1.6 6.9 0 5.1 0 3 0 1.3 1.2.3 2.6.3 3.7.3 4.6 1 5 2 5.4 1 6.3.3 7.4.3 8.8.3 10 1.3 10 3 10 5.1 8.4 6.9 5 9.7Z",
  d: "M5-.2 9.2 5 5 10.2.8 5Z",
  s:
    "M5 0C5.6 1.8 10 4 10 6.4 10 8 8.8 8.7 7.6 8.7 6.6 8.7 5.8 8.1 5.5 7.5 5.6 8.7 6 9.6 6.8 10H3.2C4 9.6 4.4 8.7 " +
    "4.5 7.5 4.2 8.1 3.4 8.7 2.4 8.7 1.2 8.7 0 8 0 6.4 0 4 4.4 1.8 5 0Z",
  c:
    "M2.7 2.4A2.3 2.3 0 1 1 6.6 4 2.4 2.4 0 1 1 5.4 7.3C5.5 8.7 6 9.6 6.8 10H3.2C4 9.6 4.5 8.7 4.6 7.3A2.4 2.4 0 1 " +
    "1 3.4 4 2.3 2.3 0 0 1 2.7 2.4Z",
};
const QUESTION = "M1.2 3C1.4-1 8.6-1 8.6 3.4 8.6 6.4 5 6.4 5 9.6M5 13.2V13.6";

export const RANK_ORDER = "A23456789TJQK";
export const SUIT_ORDER = "shdc";
/** A card that lies face down. */
export const BACK = "back";
/** A hand has at most a deck's cards: a state that says more must not keep the browser from drawing the other tables. */
export const HAND_CARDS_MAX = 52;
export const CARD_W = 42;
export const CARD_H = 58;

/** Return a card's name for a screen reader. @param {string} face */
export function cardName(face) {
  if (face === BACK) return words.faceDown;
  const rank = words.ranks[face[0]], suit = words.suits[face[1]];
  return rank && suit ? words.card(rank, suit) : words.unreadable;
}

/**
 * Draw one card. Rank over suit in the left column, so that a fan of cards needs 27 of 42 units a card.
 * @param {string} face @param {number} x @param {number} y @param {number} [scale]
 */
export function card(face, x, y, scale = 1) {
  const kind = face === BACK ? "back" : `suit-${face[1]}`;
  const at = s("g", { transform: `translate(${x} ${y}) scale(${scale})`, class: `card ${kind}` });
  at.append(s("rect", { class: "face", width: CARD_W, height: CARD_H, rx: 5 }));
  if (face === BACK) {
    at.append(
      s("rect", { class: "pattern", x: 4, y: 4, width: CARD_W - 8, height: CARD_H - 8, rx: 3 }),
      s("path", { class: "weave", d: "M8 8 34 50M8 50 34 8M21 8V50M8 29H34" }),
    );
  } else if (RANKS[face[0]] && SUITS[face[1]]) {
    at.append(
      s("path", { class: "rank", transform: "translate(5.4 6) scale(1.6)", d: RANKS[face[0]] }),
      s("path", { class: "pip", transform: "translate(4.4 33.5) scale(1.9)", d: SUITS[face[1]] }),
      s("path", { class: "pip", transform: "translate(29 7) scale(.95)", d: SUITS[face[1]] }),
    );
  } else at.append(s("path", { class: "rank", transform: "translate(15 14) scale(1.7)", d: QUESTION }));
  return at;
}

/** Draw the face of a card that is wider than high, for a key on a phone: rank and suit beside each other. @param {string} face */
export function wideCard(face) {
  return s(
    "g",
    { class: `card suit-${face[1]}` },
    s("rect", { class: "face", width: 64, height: 34, rx: 5 }),
    s("path", { class: "rank", transform: "translate(10 5.5) scale(1.65)", d: RANKS[face[0]] }),
    s("path", { class: "pip", transform: "translate(36 7) scale(2)", d: SUITS[face[1]] }),
  );
}

/**
 * Draw cards side by side, one over the other where they need more than the width. A card that nobody has said lies face down.
 * @param {(string | null)[]} said @param {number} x @param {number} y @param {number} width @param {number} [scale]
 * @param {string | null} [dead] the card that does not play: it is struck out
 */
export function fan(said, x, y, width, scale = 1, dead = null) {
  const faces = Array.from(said.slice(0, HAND_CARDS_MAX), (face) => face ?? BACK); // also where a later card was said before an earlier one
  const w = CARD_W * scale;
  const step = faces.length > 1 ? Math.min(w + 4, (width - w) / (faces.length - 1)) : 0;
  const left = x + (width - w - step * (faces.length - 1)) / 2;
  const made = s("g", { role: "img", "aria-label": faces.map((face) => cardName(face) + (face === dead ? `, ${words.givenUp}` : "")).join(", ") });
  faces.forEach((face, i) => {
    const one = card(face, left + i * step, y, scale);
    if (face === dead) {
      one.classList.add("dead");
      one.append(s("path", { class: "strike", d: `M2 ${CARD_H - 2} ${CARD_W - 2} 2` }));
    }
    made.append(one);
  });
  return made;
}

/** The usual chips. The amount is always written beside them. @type {[number, string][]} */
const CHIPS = [[50000, "v500"], [10000, "v100"], [2500, "v25"], [500, "v5"], [100, "v1"]];
const TOWER_MAX = 3;

/** The chips that lie on this table; an earlier feltd did not say. @param {any} table @returns {number[]} */
export const chipsOf = (table) => (table.chips_cents?.length ? [...table.chips_cents].sort((one, other) => other - one) : CHIPS.map(([worth]) => worth));

/**
 * Draw a stack of the largest chips that are in the stake.
 * @param {number} cents @param {number} x @param {number} y @param {number} [radius]
 */
export function chips(cents, x, y, radius = 10) {
  const made = s("g", { class: "chips", transform: `translate(${x} ${y}) scale(${radius / 10})` });
  /** @type {string[]} */
  const tower = [];
  let left = cents;
  for (const [worth, name] of CHIPS) {
    for (; left >= worth && tower.length < TOWER_MAX; left -= worth) tower.push(name);
  }
  if (!tower.length) tower.push("v1");
  tower.forEach((name, i) => {
    const at = `translate(0 ${(tower.length - 1) * 1.6 - 3.2 * i})`;
    const rings = [["chip", 9.4], ["edge", 8], ["heart", 5]].map(([kind, r]) => s("circle", { class: kind, r }));
    made.append(s("g", { class: name, transform: at }, ...rings));
  });
  return made;
}
