// @ts-check
/** The word: who is asked, and what the hands do, one tile a step; or the table's sentence. */
import { h, s } from "./dom.js";
import { capital, money, named, words } from "./words.js";

export const ARROWS = /** @type {Record<string, string>} */ ({
  take: "M6 1V10M2 6.4 6 10.4 10 6.4",
  pay: "M6 11V2M2 5.6 6 1.6 10 5.6",
  return: "M2 8V4M2 4 5 1M2 4 5 7M2 4H8A2.6 2.6 0 0 1 8 10H6",
});
const LONG = 70, ASKS_LONG = 40;
/** How wide a letter of a spot's name is, and how high its line: a name that has no room is drawn narrower, and never cut. */
const LETTER_W = 11, NAME_H = 20;

/** @param {{sentence: string, seat: number | null, steps: any[]}} ask @returns {import("./dom.js").Child[]} */
export function drawPrompt({ sentence, seat, steps }) {
  const disc = seat !== null && seat > 0 ? h("span", { class: "disc", "aria-hidden": "true" }, String(seat)) : null;
  const due = steps.filter((step) => step.amount_cents);
  if (!due.length) {
    const whom = `${words.seat(seat ?? 0)}: `;
    const text = disc && sentence.startsWith(whom) ? capital(sentence.slice(whom.length)) : sentence;
    return [disc, h("p", { class: text.length > LONG ? "long" : "" }, text)];
  }
  const tiles = due.map((step) => tile(step, seat)), { first, rest } = besideTheSteps(sentence);
  return [disc, h("ol", { class: "steps", "aria-hidden": "true" }, asks(first), ...tiles, asks(rest)), h("p", { class: "spoken" }, sentence)];
}

/** What is done or asked beside the steps, in a tile of its own. @param {string} text */
const asks = (text) => (text ? h("li", { class: text.length > ASKS_LONG ? "asks long" : "asks" }, capital(text)) : null);

/** @param {any} step @param {number | null} asked */
function tile(step, asked) {
  const other = step.seat && step.seat !== asked ? h("em", {}, String(step.seat)) : null;
  const arrow = s("svg", { viewBox: "0 0 12 12", class: "arrow" }, s("path", { d: ARROWS[step.action] }));
  const spot = step.hand ? words.ofHand(step.hand) : named(words.spots, step.spot);
  return h(
    "li",
    { class: step.action },
    h("span", { class: "does" }, arrow, named(words.steps, step.action), other),
    h("b", {}, money(step.amount_cents)),
    nameOf(spot),
  );
}

/** @param {string} spot */
function nameOf(spot) {
  const width = spot.length * LETTER_W;
  const attributes = { class: "on", width, height: NAME_H, viewBox: `0 0 ${width} ${NAME_H}`, preserveAspectRatio: "none" };
  return s("svg", attributes, s("text", { y: 16, textLength: width, lengthAdjust: "spacingAndGlyphs" }, spot));
}

/**
 * What the sentences say beside the steps: what to do with the cards before them, and then a question, or what to do with
 * the cards after them. @param {string} text
 */
function besideTheSteps(text) {
  const all = text.split(/(?<=[.?])\s+/), isBefore = (/** @type {string} */ one) => words.before.test(one);
  const sentence = all.filter((one) => !isBefore(one)).join(" ");
  return { first: all.filter(isBefore).join(" "), rest: afterTheSteps(sentence) };
}

/** @param {string} sentence */
function afterTheSteps(sentence) {
  const question = sentence.match(/[^.]*\?/)?.[0];
  if (question) return question.trim();
  const taken = sentence.match(words.takeIn)?.[1];
  if (taken) return taken;
  return sentence
    .split(/[.:,]\s+/)
    .filter((part) => words.beside.test(part))
    .join(", ");
}
