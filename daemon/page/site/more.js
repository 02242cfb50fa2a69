// @ts-check
/** Everything that is seldom done: rulings with a reason, reports, and what concerns the table itself. */
import { logInLink } from "./desk.js";
import { h } from "./dom.js";
import { openNumber } from "./number-sheet.js";
import { isHeld } from "./hold.js";
import { commandOf, offersOf, othersOf } from "./offers.js";
import { NEEDS_REASON, causesOf, renew, ruledByOthers, rulingSection } from "./rulings.js";
import { openSheet } from "./sheet.js";
import { WALL, named, words } from "./words.js";

/** These have keys of their own elsewhere. */
export const ELSEWHERE = ["press", "bet", "clear-bets", "decide", "choose-game", "pass-button", "claim", "enter-cards", "stub-count",
  "clear-alert"];

/** @param {import("./desk.js").Desk} dealer */
export function openMore(dealer) {
  const body = h("div", { class: "scroll" });
  let shown = "";
  /** @param {any} table */
  const update = (table) => {
    const print = JSON.stringify([offersOf(table), othersOf(table), table.standstill, causesOf(table)]);
    if (print === shown || isHeld(body)) return; // the next picture draws it, at the latest the next beat
    shown = print;
    const made = sections(dealer, () => sheet.close()), links = linksFrom(dealer);
    // A round that stands still is what somebody came for.
    renew(body, dealer.table.standstill ? [...made, links] : [links, ...made]);
  };
  const sheet = openSheet(dealer, "more", words.more, { body: [body], update });
  update(dealer.table);
}

/** Every other screen. @param {import("./desk.js").Desk} desk */
function linksFrom({ key, stream }) {
  const at = encodeURIComponent(key);
  const links = [[`#/rounds/${at}`, words.rounds], ["#/pit", words.pit], [WALL, words.wall]];
  if (!stream?.user) links.push([`#/login/${at}`, words.logIn]); // a person who has logged in finds their name in the strip
  if (stream?.benches.has(key)) links.unshift([`#/bench/${at}`, words.bench.title]);
  return h("nav", { class: "links" }, ...links.map(([href, label]) => h("a", { href }, label)));
}

/** What this user may do, and then what others may. @param {import("./desk.js").Desk} dealer @param {() => void} close */
export function sections(dealer, close) {
  const offers = offersOf(dealer.table).filter((offer) => !ELSEWHERE.includes(offer.command)), theirs = othersOf(dealer.table);
  const rulings = offers.filter((offer) => NEEDS_REASON.includes(offer.command));
  const own = offers.filter((offer) => !NEEDS_REASON.includes(offer.command));
  /** @type {HTMLElement[]} */
  const made = [];
  // A round that stands still waits for this; otherwise it is what is needed least.
  const ruling = rulings.length ? rulingSection(dealer, rulings, close) : null;
  const isStill = rulings.some((offer) => offer.command === "rule");
  if (ruling && isStill) made.push(ruling);
  const [rule] = theirs.filter((offer) => offer.command === "rule");
  if (rule) made.push(ruledByOthers(dealer, rule));
  for (const offer of own) {
    made.push(h("h3", {}, `${named(words.commands, offer.command)} (${words.roles(offer.roles)})`));
    made.push(h("div", { class: "choices" }, ...keysOf(dealer, offer, close)));
  }
  if (ruling && !isStill) made.push(ruling);
  const others = theirs.filter(({ command }) => command !== "rule" && (command === "enter-cards" || !ELSEWHERE.includes(command)));
  return [...made, ...othersSections(dealer, rule ? others.filter(({ command }) => command !== "void-round") : others, rule)];
}

/** What others may do is named, with who they are, and they log in here. @param {import("./desk.js").Desk} desk @param {import("./offers.js").Offer[]} others @param {import("./offers.js").Offer} [above] for whom the key to log in stands above */
function othersSections(desk, others, above) {
  const all = new Set(others.map((offer) => words.roles(offer.roles)));
  return [...all].flatMap((who) => {
    const named_ = others.filter((offer) => words.roles(offer.roles) === who).map((offer) => named(words.commands, offer.command));
    return [h("h3", {}, words.only(who)), h("p", { class: "facts" }, [...new Set(named_)].join(", ")), ...(above && words.roles(above.roles) === who ? [] : [logInLink(desk, who)])];
  });
}

/** @param {import("./desk.js").Desk} dealer @param {import("./offers.js").Offer} offer @param {() => void} close */
function keysOf(dealer, offer, close) {
  const { amount } = offer;
  /** @param {import("./press.js").Command} command */
  const send = async (command) => {
    const answer = await dealer.send(command);
    if (answer?.accepted) close();
    return answer;
  };
  if (offer.command === "load-shoe" && amount && amount.least !== amount.most) {
    const open = () => openNumber(dealer, named(words.commands, offer.command), amount, String, (decks) => send({ name: "load-shoe", data: { decks } }));
    return [h("button", { type: "button", class: "plain", click: open }, named(words.commands, offer.command))];
  }
  const more = offer.command === "load-shoe" && amount ? { decks: amount.least } : {};
  if (offer.command === "report-irregularity") return reportKeys(offer, send);
  const choices = offer.choices.length ? offer.choices : [""];
  const seats = offer.seats.length ? offer.seats : [undefined];
  return choices.flatMap((choice) =>
    seats.map((seat) => {
      const command = commandOf(offer, { seat, choice: choice || undefined }, more);
      const label = choice ? named(words.games, choice) : named(words.commands, offer.command);
      const text = seat === undefined ? label : `${label}: ${words.seat(seat)}`;
      return h("button", { type: "button", class: "plain", click: () => send(command) }, text);
    }),
  );
}

/**
 * A report names what was seen, and the place only if it was at one: first the place is touched, then what was seen.
 * @param {import("./offers.js").Offer} offer @param {(command: import("./press.js").Command) => void} send
 */
function reportKeys(offer, send) {
  /** @type {number | undefined} */
  let place;
  const places = offer.seats.map((seat) => {
    const key = h("button", { type: "button", class: "plain", "aria-pressed": "false" }, words.seat(seat));
    key.addEventListener("click", () => {
      place = place === seat ? undefined : seat;
      for (const one of places) one.classList.toggle("on", one === key && place !== undefined);
    });
    return key;
  });
  const seen = Object.entries(words.irregularities).map(([irregularity, label]) => {
    const report = () => send({ name: "report-irregularity", data: { irregularity, ...(place === undefined ? {} : { seat: place }) } });
    return h("button", { type: "button", class: "plain", click: report }, label);
  });
  return [...places, ...seen];
}
