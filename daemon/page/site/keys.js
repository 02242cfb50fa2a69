// @ts-check
/**
 * The keys of the dealer's screen: at the left two that never change their place, at the right what may be done now.
 *
 * What may be done is what the table offers. A key that the table would refuse is not there, but for Void: in trouble
 * nobody should have to look for it.
 */
import { handKeys, takeOver } from "./at-bench.js";
import { chipsOf } from "./cards.js";
import { h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { commandOf, fewNumbers, isOffered, layable, offered, othersOf } from "./offers.js";
import { money, named, words } from "./words.js";

/**
 * A key sends a command, or opens a sheet. "void" has to be held.
 * @typedef {{label: string, kind: string, small?: string, command?: import("./press.js").Command, open?: () => void}} Key
 */

/** More amounts than these get a sheet of their own. */
const AMOUNTS_MAX = 3;
const COUNTS_MAX = 6;
/** More keys than these for seats that are not asked are put behind one. */
const OTHERS_MAX = 2;
/** Keys of the machine, in the order in which they stand from the left. The last one is the main key. */
const MACHINE = ["count", "next", "green"];

/**
 * @param {import("./dealer.js").Dealer} dealer @param {any} table @param {{seat: number | null}} ask
 * @returns {{left: Key[], right: Key[]}}
 */
export function keysFor(dealer, table, ask) {
  const left = [
    { label: words.buttons.void, kind: "void", command: pressed("void") },
    { label: words.more, kind: "plain", open: () => openMore(dealer) },
  ];
  const over = takeOver(dealer);
  if (over.length) return { left, right: over };
  const said = decisions(dealer, table, ask.seat ?? 0);
  const right = [...rulings(dealer, table), ...said, ...entries(dealer, table, ask, said.length > 0), ...machine(table)];
  if (!right.length) right.push(...handKeys(dealer, table));
  if (right.length) return { left, right };
  const press = othersOf(table).find((offer) => offer.command === "press");
  if (press) return { left, right: [{ label: words.only(words.roles(press.roles)), kind: "nothing" }, logInKey(dealer, press)] };
  const asks = offered(table, "bet").length ? words.touchASeat : words.nothing;
  return { left, right: [{ label: waitsForSupervisor(table) ? words.supervisorDecides : asks, kind: "nothing" }] };
}

/** What is seldom done is loaded when it is asked for. @param {import("./dealer.js").Dealer} dealer */
export const openMore = async (dealer) => (await import("./more.js")).openMore(dealer);

/** Where a device reads the cards, nobody enters them. @type {(...asked: Parameters<typeof import("./card-sheet.js").openCards>) => Promise<void>} */
const openCards = async (...asked) => (await import("./card-sheet.js")).openCards(...asked);

/** Few rounds need a number that is typed. @type {(...asked: Parameters<typeof import("./number-sheet.js").openNumber>) => Promise<void>} */
const openNumber = async (...asked) => (await import("./number-sheet.js")).openNumber(...asked);

/** @param {any} table */
const isStill = (table) => table.phase === "held" || table.phase === "interrupted";

/** @param {any} table */
const waitsForSupervisor = (table) =>
  isStill(table) || table.alerts.some((/** @type {any} */ alert) => alert.blocks_play && !alert.cleared_by.includes("dealer"));

/** A round that stands still is ruled on: the supervisor finds the key where the dealer stands. @param {import("./dealer.js").Dealer} dealer @param {any} table @returns {Key[]} */
function rulings(dealer, table) {
  const decides = { label: words.supervisorDecides, kind: "nothing" };
  if (offered(table, "rule").length) return [decides, { label: words.commands.rule, kind: "choice", open: () => openMore(dealer) }];
  const [rule] = othersOf(table).filter((offer) => offer.command === "rule");
  return rule ? [decides, logInKey(dealer, rule)] : [];
}

/** What this user may not do is not there to be pressed: who may do it logs in. @param {import("./dealer.js").Dealer} dealer @param {import("./offers.js").Offer} offer @returns {Key} */
const logInKey = (dealer, { roles }) => ({ label: words.logIn, kind: "choice", small: words.roles(roles), open: () => (location.hash = dealer.loginPath) });

/** @param {string} button @returns {import("./press.js").Command} */
const pressed = (button) => ({ name: "press", data: { button } });

/** @param {any} table @returns {Key[]} */
function machine(table) {
  const keys = MACHINE.filter((button) => isOffered(table, "press", button));
  return keys.map((button, i) => {
    const kind = i === keys.length - 1 ? "main" : "choice";
    return { label: named(words.buttons, button), kind, command: pressed(button) };
  });
}

/** What the player who is asked can say, in the dealer's hand. @param {import("./dealer.js").Dealer} dealer @param {any} table @param {number} [asked] the seat whose keys name no seat @returns {Key[]} */
export function decisions(dealer, table, asked = dealer.seat) {
  const offers = ["decide", "choose-game", "pass-button", "claim"].flatMap((command) => offered(table, command));
  const isAlone = new Set(offers.flatMap((offer) => offer.seats)).size === 1;
  /** @type {Key[]} */
  const own = [];
  /** What seats may say that are not asked, by what it is. @type {Map<string, Key[]>} */
  const others = new Map();
  for (const offer of offers) {
    const what = (offer.choices.length ? offer.choices : [""]).map((choice) => labelOf(offer.command, choice)).join(" / ");
    for (const seat of offer.seats) {
      // A claim is heard from anywhere at the table: the dealer must see whose it is.
      const isNamed = offer.command === "claim" && !dealer.seat;
      if (!isNamed && (isAlone || seat === asked)) own.push(...decisionKeys(dealer, offer, seat, ""));
      else others.set(what, [...(others.get(what) ?? []), ...decisionKeys(dealer, offer, seat, `${seat}: `)]);
    }
  }
  const rest = [...others.values()].flat();
  if (rest.length <= OTHERS_MAX) return [...own, ...rest];
  return [...own, ...[...others].map(([what, keys]) => ({ label: `${what} …`, kind: "choice", open: () => openSeats(dealer, what, keys) }))];
}

/** One key for many seats opens a sheet with a key for each. @param {import("./dealer.js").Dealer} dealer @param {string} what @param {Key[]} keys */
function openSeats(dealer, what, keys) {
  const act = async (/** @type {Key} */ key) => {
    if (key.open) return key.open();
    const answer = key.command && (await dealer.send(key.command));
    if (answer?.accepted) sheet.close();
  };
  const made = keys.map((key) => h("button", { type: "button", class: "plain", click: () => act(key) }, key.label));
  const sheet = openSheet(dealer, "seats", what, { body: [h("div", { class: "choices" }, ...made)] });
}

/** @param {import("./dealer.js").Dealer} dealer @param {import("./offers.js").Offer} offer @param {number} seat @param {string} who @returns {Key[]} */
function decisionKeys(dealer, offer, seat, who) {
  const choices = offer.choices.length ? offer.choices : [""];
  /** @param {string} choice @returns {Key[]} */
  const keysOf = (choice) => {
    const label = who + labelOf(offer.command, choice);
    const make = (/** @type {Record<string, any>} */ more) => commandOf(offer, { seat, choice }, more);
    const amount = offer.amount && choice !== "draw" ? layable(offer.amount, chipsOf(dealer.table)) : offer.amount;
    if (!amount) return [{ label, kind: "choice", command: make({}) }];
    // The number of a draw is of cards, every other one is of money.
    const isCards = choice === "draw", field = isCards ? "discards" : "stake_cents";
    const numbers = fewNumbers(amount, isCards ? COUNTS_MAX : AMOUNTS_MAX);
    const spell = isCards ? String : money;
    if (numbers.length === 1) return [{ label, kind: "choice", command: make({ [field]: numbers[0] }) }];
    if (numbers.length) {
      return numbers.map((number, i) => {
        const text = isCards && i ? spell(number) : `${label} ${spell(number)}`;
        return { label: text, kind: "choice", command: make({ [field]: number }) };
      });
    }
    const send = (/** @type {number} */ number) => dealer.send(make({ [field]: number }));
    return [{ label: `${label} …`, kind: "choice", open: () => openNumber(dealer, label, amount, spell, send) }];
  };
  return choices.flatMap(keysOf);
}

/** @param {string} command @param {string} choice */
function labelOf(command, choice) {
  if (command === "decide") return named(words.decisions, choice);
  return command === "choose-game" ? named(words.variants, choice) : named(words.commands, command);
}

/** Cards to enter, and a count. What a player is asked comes first. @param {import("./dealer.js").Dealer} dealer @param {any} table @param {{seat: number | null}} ask @param {boolean} isDeciding @returns {Key[]} */
function entries(dealer, table, ask, isDeciding) {
  /** @type {Key[]} */
  const keys = [];
  const cards = offered(table, "enter-cards");
  if (cards.length) {
    const first = cards.find((offer) => ask.seat !== null && offer.seats.includes(ask.seat)) ?? cards[0];
    const isAsked = !isDeciding && !isStill(table) && !MACHINE.some((button) => isOffered(table, "press", button));
    keys.push({
      label: words.commands["enter-cards"],
      small: first.roles.includes("dealer") ? undefined : words.roles(first.roles),
      kind: isAsked ? "main" : "plain",
      open: () => openCards(dealer, first.seats.includes(ask.seat ?? NaN) ? Number(ask.seat) : first.seats[0], first.hand),
    });
  }
  for (const offer of offered(table, "stub-count")) {
    const bounds = offer.amount ?? { least: 0, most: null, step: 1 };
    const send = (/** @type {number} */ count) => dealer.send({ name: "stub-count", data: { count } });
    const open = () => openNumber(dealer, words.commands["stub-count"], bounds, String, send, true);
    keys.push({ label: words.commands["stub-count"], kind: "main", open });
  }
  return keys;
}
