// @ts-check
/** The table's sentences in another language: forms by their ids, filled with the fields that came. */
import { money, named, words } from "./words.js";

/** @typedef {import("./said.js").Clause} Clause */
/** @typedef {import("./said.es.js").Spoken} Spoken */

const spoken = /** @type {Spoken} */ (words.said);
const CALLED = /** @type {Record<string, string>[]} */ ([spoken.words, words.irregularities, words.commands, words.decisions, words.buttons]);

/** Take in what is seldom said. What shows it in English meanwhile hears of it. */
export async function takeInTheRest() {
  const { rareForms, rareWords } = await spoken.rarely();
  Object.assign(spoken.words, rareWords);
  Object.assign(spoken.forms, rareForms);
  dispatchEvent(new Event("spoken"));
}

/** @param {Clause[]} said @param {any[]} steps those that the sentences put in words, in their order */
export function sentences(said, steps) {
  const left = [...steps];
  return said.map((one) => form(one, left)).join(" ");
}

/** @param {Clause[]} said */
export const clauses = (said) => joined(said, []);

/** @param {Clause[]} clauses @param {any[]} steps @param {string} [by] */
function joined(clauses, steps, by = "; ") {
  return clauses.map((one) => form(one, steps)).reduce((text, next) => text + (next.startsWith(" (") ? "" : by) + next);
}

/** @param {Clause} said @param {any[]} steps */
function form(said, steps) {
  return spoken.forms[said.id].replace(/\{(\w+)\}/g, (_, name) => FIELDS[name](said, steps));
}

/** The next steps in words; one that moves nothing is not said. @param {number} count @param {any[]} steps @returns {string[]} */
function taken(count, steps) {
  const next = steps.splice(0, count ?? 0).filter((step) => step.amount_cents);
  return next.map((step) => {
    const colour = step.colour ? ` (${named(words.colours, step.colour)})` : "";
    const spot = (step.hand ? words.ofHand(step.hand) : named(words.spots, step.spot)) + colour;
    return spoken.step(named(words.steps, step.action).toLowerCase(), money(step.amount_cents), spot);
  });
}

/** A name of the contract's, as this page calls it. @param {string} name @returns {string | undefined} */
export const nameOf = (name) => CALLED.map((list) => list[name]).find(Boolean);
const called = (/** @type {string} */ name) => nameOf(name) ?? name;

/** @param {number | null | undefined} cents */
const seen = (cents) => (cents ? money(cents) : spoken.nothing);

/** @type {Record<string, (said: Clause, steps: any[]) => string>} */
const FIELDS = {
  seat: (said) => String(said.place),
  place: (said) => spoken.place(said.place ?? null),
  packet: (said) => (said.drawn ? spoken.drawOf : "") + spoken.place(said.place ?? null),
  packet_has: (said, steps) => FIELDS.packet(said, steps),
  seats: (said) => spoken.seats(said.seats),
  of_hand: (said) => (said.hand ? spoken.ofHand(said.hand) : ""),
  of_hands: (said) => (said.hand ? spoken.handOf(said.hand, said.hands) : ""),
  count: (said) => String(said.count),
  wanted: (said) => String(said.wanted),
  left: (said) => String(said.left),
  sum: (said) => String(said.count + said.left),
  times: (said) => (said.times ? spoken.times(said.times) : ""),
  cards: (said) => spoken.many("card", said.count),
  decks: (said) => spoken.many("deck", said.count),
  whole_decks: (said) => spoken.many("deck", said.wanted),
  rounds: (said) => spoken.many("round", said.count),
  minutes: (said) => spoken.many("minute", said.count),
  wagers: (said) => spoken.many("wager", said.count),
  roles: (said) => words.roles(said.names),
  cents: (said) => money(said.cents ?? 0),
  entered: (said) => seen(said.cents),
  seen: (said) => seen(said.seen_cents),
  least: (said) => money(said.bounds.least),
  most: (said) => money(said.bounds.most),
  pair: (said) => money(said.bounds.most_with_pair),
  span: ({ bounds }) => (bounds.most === null || bounds.most === bounds.least ? money(bounds.least) : words.limits(money(bounds.least), money(bounds.most))),
  up_to: ({ bounds }) => (bounds.most_with_pair === null ? "" : spoken.withPair(money(bounds.most_with_pair))),
  in_steps: (said) => (said.cents ? spoken.inSteps(money(said.cents)) : ""),
  spot: (said) => named(words.spots, said.spot),
  at: (said) => `${spoken.place(said.place)}, ${named(words.spots, said.spot)}${said.word ? ` (${named(words.colours, said.word)})` : ""}`,
  card: (said) => words.card(words.ranks[said.card[0]], words.suits[said.card[1]]),
  device: (said) => said.device,
  who: (said) => said.who,
  word: (said) => called(said.word),
  text: (said) => said.text ?? "",
  told: (said) => spoken.words[said.word] ?? said.text ?? "",
  waited_for: () => spoken.asAsked,
  names: (said) => said.names.map(called).join(", "),
  choices: (said) => spoken.choice(said.names.map((/** @type {string} */ name) => named(words.decisions, name).toLowerCase())),
  steps: (said, steps) => taken(said.steps, steps).join(", "),
  steps_before: (said, steps) => taken(said.steps, steps).map((step) => `${step}, `).join(""),
  steps_after: (said, steps) => taken(said.later_steps, steps).map((step) => `, ${step}`).join(""),
  because: (said, steps) => joined(said.because, steps),
  listed: (said, steps) => joined(said.because, steps, ", "),
  first: (said, steps) => form(said.because[0], steps),
  others: (said, steps) => joined(said.because.slice(1), steps),
};
