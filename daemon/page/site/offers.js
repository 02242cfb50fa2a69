// @ts-check
/** What the table would accept now, as its state says in `may`. Nothing here knows a game. */

/** @typedef {{least: number, most: number | null, step: number, most_with_pair?: number | null}} Bounds */
/**
 * One offer of the table: a command, the seats and choices that it may name, and the bounds of its number.
 * @typedef {{command: string, roles: string[], seats: number[], choices: string[], colours: string[],
 *   hand: number | null, amount: Bounds | null}} Offer
 */

/** The field of a command that an offer's choices are for. @type {Record<string, string>} */
const CHOICE = {
  press: "button",
  bet: "wager",
  decide: "decision",
  "choose-game": "variant",
  "report-irregularity": "irregularity",
  rule: "ruling",
  "clear-alert": "alert",
  "change-game": "game",
};

/** @param {any} table @returns {Offer[]} */
export const offersOf = (table) => table.may ?? [];

/** What the table would take from others only. @param {any} table @returns {Offer[]} */
export const othersOf = (table) => table.others ?? [];

/**
 * The table with what this role may do in `may`, and in `others` what it may not. Where nobody knows the role, everything
 * is offered, and the table refuses.
 * @param {any} table @param {string} role
 */
export function forRole(table, role) {
  if (!table || !role) return table;
  const isOwn = (/** @type {Offer} */ offer) => offer.roles.includes(role), may = offersOf(table);
  return { ...table, may: may.filter(isOwn), others: may.filter((offer) => !isOwn(offer)) };
}

/** The offers of one command, for a seat if one is named. @param {any} table @param {string} command @param {number} [seat] */
export const offered = (table, command, seat) =>
  offersOf(table).filter(
    (offer) => offer.command === command && (seat === undefined || !offer.seats.length || offer.seats.includes(seat)),
  );

/** Whether one word of a command is offered. @param {any} table @param {string} command @param {string} choice */
export const isOffered = (table, command, choice) =>
  offered(table, command).some((offer) => offer.choices.includes(choice));

/** Whether a command, or one word of it, is taken from others. @param {any} table @param {string} command @param {string} [choice] */
export const isForOthers = (table, command, choice) =>
  othersOf(table).some((offer) => offer.command === command && (choice === undefined || offer.choices.includes(choice)));

/**
 * Make the command of an offer.
 * @param {Offer} offer @param {{seat?: number, choice?: string}} [named] @param {Record<string, any>} [more]
 * @returns {import("./press.js").Command}
 */
export function commandOf(offer, { seat, choice } = {}, more = {}) {
  const data = /** @type {Record<string, any>} */ ({ ...more });
  if (offer.seats.length) data.seat = seat ?? offer.seats[0];
  if (offer.choices.length) data[CHOICE[offer.command]] = choice ?? offer.choices[0];
  if (offer.hand !== null && offer.hand !== undefined) data.hand = offer.hand;
  return { name: offer.command, data };
}

/** The bounds of a stake as it can be laid with a table's chips. @template {Bounds} B @param {B} bounds @param {number[]} chips @returns {B} */
export function layable(bounds, chips) {
  const unit = chips.reduce((one, other) => divisor(one, other), 0) || 1;
  if (bounds.step >= unit) return bounds; // a game that raises by multiples says so
  const least = Math.ceil(Math.max(bounds.least, Math.min(...chips)) / unit) * unit;
  const most = bounds.most === null ? null : Math.floor(bounds.most / unit) * unit;
  return most !== null && most < least ? bounds : { ...bounds, least, most, step: unit };
}

/** @param {number} one @param {number} other @returns {number} */
const divisor = (one, other) => (one ? divisor(other % one, one) : other);

/** Every number within bounds, or none if they are many. @param {Bounds} bounds @param {number} many */
export function fewNumbers(bounds, many) {
  const most = Math.max(bounds.most ?? Infinity, bounds.most_with_pair ?? -Infinity);
  const count = Math.floor((most - bounds.least) / bounds.step) + 1;
  return count > many ? [] : Array.from({ length: count }, (_, i) => bounds.least + i * bounds.step);
}
