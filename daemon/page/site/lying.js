// @ts-check
/** What really lies where at a bench. A table has no such thing, so only a bench's screens load it. */
import { fan } from "./cards.js";
import { h, redraw, s } from "./dom.js";
import { trial } from "./trial.js";

const CARD_STEP = 46;

/**
 * The cards that really lie at a place of the bench, face up, and those that were given up. A table has no such thing.
 * @param {import("./stream.js").Stream} stream @param {string} key @param {number} place
 */
export function lyingAt(stream, key, place) {
  const { cards = [], given_up: gone = [] } = stream.benches.get(key)?.felt?.places?.[place] ?? {};
  const drawn = [...cards, ...gone];
  if (!drawn.length) return null;
  const width = drawn.length * CARD_STEP + 2;
  const row = s("svg", { viewBox: `0 0 ${width} 62`, class: "row" }, fan(cards, 0, 2, cards.length * CARD_STEP));
  if (gone.length) row.append(s("g", { class: "gone" }, fan(gone, cards.length * CARD_STEP + 2, 2, gone.length * CARD_STEP)));
  return h("figure", { class: "lying", "data-faces": cards.join(" "), "data-gone": gone.join(" ") }, row, h("figcaption", {}, gone.length ? trial.gaveUp(gone.length) : ""));
}

/**
 * What is left of the deck at the bench, when the table asks for that count.
 * @param {import("./stream.js").Stream} stream @param {string} key
 */
export function restAt(stream, key) {
  const rest = stream.benches.get(key)?.felt?.rest ?? null;
  return rest === null ? null : h("p", { class: "rest-at" }, trial.youCount(rest));
}

/** @param {HTMLElement} part @param {import("./stream.js").Stream} stream @param {string} key */
export function showRest(part, stream, key) {
  const rest = restAt(stream, key);
  redraw(part, [rest?.textContent], () => [rest]);
}

/**
 * Show in a part of a sheet what lies at this place, as it changes.
 * @param {HTMLElement} part @param {import("./stream.js").Stream} stream @param {string} key @param {number} place
 */
export function showLying(part, stream, key, place) {
  const lies = lyingAt(stream, key, place);
  redraw(part, [lies?.dataset], () => (lies ? [h("p", {}, trial.youSee), lies] : []));
}
