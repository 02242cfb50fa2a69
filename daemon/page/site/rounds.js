// @ts-check
/** The rounds that the page's server heard of: a list, and one of them as a line of time in four lanes. */
import { card } from "./cards.js";
import { h, s } from "./dom.js";
import { money, named, words } from "./words.js";

const LANES = /** @type {Record<string, RegExp>} */ ({
  trouble: /^(irregularity|round-held|round-interrupted|round-voided|alert-raised|device-lost|win-to-verify)/,
  device: /^(device|hand-dealt|hand-delivered|remainder|deck|card-dealt|card-burned|batch|shoe|cut-card)/,
  people: /^(bet|player|cards-entered|ruling|seat-selected|game-chosen|button|alert-cleared|stub|table-)/,
});
const FACE = /^(?:[A2-9TJQK][cdhs]|\?)$/;

/** @param {string} type */
const laneOf = (type) => Object.keys(LANES).find((lane) => LANES[lane].test(type)) ?? "table";

/** @param {HTMLElement} root @param {string} key @param {string} [chosen] */
export async function showRounds(root, key, chosen) {
  const path = `/tables/${encodeURIComponent(key)}/rounds`;
  const list = await (await fetch(path)).json(), round = chosen || list[0]?.round;
  const answer = round ? await fetch(`${path}/${encodeURIComponent(round)}`) : null;
  const events = answer?.ok ? await answer.json() : [];
  document.title = round ? `${key} · ${round}` : `${key} · ${words.rounds}`;
  root.replaceChildren(
    h(
      "div",
      { class: "rounds" },
      h(
        "header",
        { class: "strip" },
        h("a", { href: `#/dealer/${encodeURIComponent(key)}` }, `‹ ${key}`),
        h("b", {}, round ?? words.rounds),
        h("span", { class: "gap" }),
        h("button", { type: "button", class: "plain", click: () => print() }, words.print),
      ),
      h("nav", { "aria-label": words.rounds }, ...list.map((/** @type {any} */ one) => drawRow(key, one, round))),
      h("div", { class: "timeline" }, events.length ? drawEvents(events) : h("p", {}, words.noRounds)),
    ),
  );
}

/** @param {string} key @param {any} one @param {string} chosen */
function drawRow(key, one, chosen) {
  const end = one.end === "round-settled" ? words.settled(money(one.data.take_cents)) : one.end ? words.voided : words.running;
  const classes = [one.round === chosen && "on", one.troubles.length && "bad"].filter(Boolean).join(" ");
  const href = `#/rounds/${encodeURIComponent(key)}/${encodeURIComponent(one.round)}`;
  const attributes = { href, class: classes, "aria-current": one.round === chosen ? "true" : null };
  const trouble = one.troubles.length ? h("small", {}, one.troubles.join(", ")) : null;
  return h("a", attributes, h("b", {}, one.round), h("time", {}, one.began.slice(11, 19)), h("span", {}, end), trouble);
}

/** @param {any[]} events */
function drawEvents(events) {
  const start = Date.parse(events[0].time);
  const rows = events.map((event) => {
    const lane = laneOf(event.type), seconds = ((Date.parse(event.time) - start) / 1000).toFixed(1);
    return h(
      "li",
      { class: lane, "aria-label": named(words.lanes, lane) },
      h("time", {}, seconds),
      h("i"),
      h("span", {}, ...describe(event)),
      h("code", {}, `${Number(event.sequence)} ${event.type}`),
    );
  });
  const lanes = ["device", "people", "table", "trouble"].map((lane) => h("span", {}, named(words.lanes, lane)));
  return h("div", {}, h("div", { class: "lanes" }, ...lanes), h("ol", {}, ...rows));
}

/** Put an event into a line: its seat, its words, its money and its cards. @param {any} event @returns {import("./dom.js").Child[]} */
function describe({ type, data }) {
  const where = typeof data.seat === "number" ? [`${words.seat(data.seat)}: `] : [];
  const text = [data.sentence, data.message, data.reason, data.hand].filter((part) => typeof part === "string");
  const amounts = ["stake_cents", "returned_cents", "take_cents", "pays_cents"]
    .filter((name) => typeof data[name] === "number")
    .map((name) => `${name.replace("_cents", "").replace("_", " ")} ${money(data[name])}`);
  const wagers = (data.wagers ?? []).map((/** @type {any} */ one) => `${named(words.spots, one.wager)} ${money(one.pays_cents)}`);
  const said = [data.decision, data.ruling, data.wager && typeof data.wager === "string" && named(words.spots, data.wager)];
  const names = [...said, data.who && `(${data.who})`].filter((part) => typeof part === "string");
  const faces = [...(Array.isArray(data.cards) ? data.cards : []), data.card].filter((face) => FACE.test(face ?? ""));
  const pictures = faces.map((face) => s("svg", { viewBox: "0 0 42 58", class: "small" }, card(face, 0, 0)));
  const line = [...text, ...names, ...amounts, ...wagers].join(", ");
  return [...where, line || type.replace(/-/g, " "), " ", ...pictures];
}
