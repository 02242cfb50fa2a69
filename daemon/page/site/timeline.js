// @ts-check
/** A round as a line of time in four lanes: who did what, the seconds since it opened, the sentence, sequence and type. */
import { card } from "./cards.js";
import { h, s } from "./dom.js";
import { calledHere, inWords } from "./said.js";
import { story } from "./story.js";
import { capital, money, named, words } from "./words.js";

const LANES = /** @type {Record<string, RegExp>} */ ({
  trouble: /^(irregularity|round-held|round-interrupted|round-voided|alert-raised|device-(lost|faulted|stale|restarted|events|anomaly|setup)|win-to-verify|button-refused)/,
  device: /^(device|hand-d|remainder|deck-shuffled|deck-accounted|card-|batch|shoe|cut-card|stub-count)/,
  people: /^(bet-placed|bets-cleared|betting-closed|player-decided|cards-entered|ruling|seat-selected|game-c|button-moved|alert-cleared|first-five-claimed|table-(opened|closed)|deck-c|reshuffle)/,
});
const FACE = /^(?:[A2-9TJQK][cdhs]|\?)$/;
/** Whose values are names that are made of words. */
const NAMES = ["fault", "why", "code"];
const ORDER = ["device", "people", "table", "trouble"];

/** @param {string} type */
export const laneOf = (type) => Object.keys(LANES).find((lane) => LANES[lane].test(type)) ?? "table";

/**
 * @param {any[]} events @param {(place: number) => void} choose takes the place of the event that was touched
 * @returns {{made: HTMLElement, mark: (place: number) => void}}
 */
export function drawTimeline(events, choose) {
  const start = Date.parse(events[0].time);
  const rows = events.map((event, place) => {
    const lane = laneOf(event.type), seconds = ((Date.parse(event.time) - start) / 1000).toFixed(1);
    const key = h(
      "button",
      { type: "button", class: "step", click: () => choose(place) },
      h("time", {}, seconds),
      h("i", {}, h("span", { class: "spoken" }, named(story.lanes, lane))),
      h("span", { class: "what" }, ...describe(event, events)),
      h("code", { title: event.type }, String(Number(event.sequence))),
    );
    return h("li", { class: lane }, key);
  });
  const lanes = ORDER.map((lane) => h("span", {}, capital(named(story.lanes, lane))));
  const list = h("ol", {}, ...rows);
  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0, to = rows[chosen + by];
    if (!by || !to) return;
    event.preventDefault();
    choose(chosen + by);
    /** @type {HTMLElement} */ (to.firstElementChild).focus();
  });
  let chosen = -1;
  /** @param {number} place */
  const mark = (place) => {
    rows[chosen]?.firstElementChild?.removeAttribute("aria-current");
    rows[place]?.firstElementChild?.setAttribute("aria-current", "step");
    chosen = place;
    rows[place]?.scrollIntoView({ block: "nearest" });
  };
  return { made: h("div", { class: "timeline" }, h("div", { class: "lanes", "aria-hidden": "true" }, ...lanes), list), mark };
}

/**
 * Put an event into a line, with its cards drawn.
 * @param {any} event @param {any[]} [events] of its round: what an alert said is in the one that raised it
 * @returns {import("./dom.js").Child[]}
 */
export function describe({ type, data: raw }, events = []) {
  const data = { ...inWords(raw) };
  if (type === "alert-cleared") {
    const raised = events.find((one) => one.type === "alert-raised" && one.data.alert === raw.alert);
    data.alert = raised ? inWords(raised.data).message : named({}, raw.alert);
  }
  const where = typeof data.seat === "number" && type !== "dealer-prompted" ? `${words.seat(data.seat)}: ` : "";
  const faces = [...(Array.isArray(data.cards) ? data.cards : []), data.card].filter((face) => FACE.test(face ?? ""));
  const pictures = faces.map((face) => s("svg", { viewBox: "0 0 42 58", class: "small", role: "img", "aria-hidden": "true" }, card(face, 0, 0)));
  const spelled = faces.length ? h("span", { class: "spoken" }, faces.join(" ")) : null;
  return [capital(where + sentenceOf(type, data)), faces.length ? " " : "", ...pictures, spelled];
}

/** @param {string} type @param {any} data @returns {string} */
function sentenceOf(type, data) {
  const form = story.events[type];
  if (!form) return generic(type, data);
  const text = form.split(", ").filter((part, i) => !i || isKnown(part, data)).map((part) => filled(part, data)).join(", ");
  const wagers = (Array.isArray(data.wagers) ? data.wagers : []).map(
    (/** @type {any} */ one) => `${named(words.spots, one.wager)} ${one.pays_cents > 0 ? "+" : ""}${money(one.pays_cents)}`,
  );
  const by = data.who && !text.includes(data.who) ? ` (${data.who})` : "";
  return [text.replace(/:\s*$/, ""), ...wagers].filter(Boolean).join(", ") + by;
}

const FIELD = /\{(\w+)\}/g;

/** @param {string} part of a sentence @param {any} data */
const filled = (part, data) => part.replace(FIELD, (_, name) => field(name, data));

/** Whether anybody knows what a part of a sentence would say. A blind machine does not say how many cards it has left. @param {string} part @param {any} data */
const isKnown = (part, data) => !part.includes("{") || [...part.matchAll(FIELD)].some(([, name]) => field(name, data) !== "");

/** @param {string} name @param {any} data */
function field(name, data) {
  const isMoney = `${name}_cents` in data;
  return spelled(name, isMoney ? data[`${name}_cents`] : data[name], isMoney);
}

/** @param {string} name @param {any} value @param {boolean} isMoney */
function spelled(name, value, isMoney) {
  if (value === null || value === undefined) return "";
  if (isMoney) return money(value);
  if (name === "stakes") return money(value.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.stake_cents, 0));
  /** @type {Record<string, Record<string, string>>} */
  const lists = { wager: words.spots, decision: words.decisions, ruling: words.rulings, variant: words.variants, game: words.games, irregularity: words.irregularities, hand: words.hands };
  if (name === "wager" && typeof value === "object") return `${named(words.spots, value.wager)} ${money(value.pays_cents)}`;
  if (typeof value === "boolean") return "";
  if (NAMES.includes(name)) return story.names[value] ?? calledHere(value) ?? named({}, String(value));
  return lists[name] ? named(lists[name], value) : String((name === "reason" && calledHere(value)) || value);
}

/** A type of event that this page does not know: its name, and what it says in words. @param {string} type @param {any} data */
function generic(type, data) {
  const said = ["device", "message", "reason", "problem", "detail", "code", "who"].map((name) => data[name]);
  return [type.replace(/-/g, " "), ...said.filter((part) => typeof part === "string" && part)].join(", ");
}
