// @ts-check
/** The keys of the dealer's screen: three at the left that never change, and at the right what may be done now. */
import { openCards } from "./card-sheet.js";
import { words } from "./words.js";

/**
 * A key sends a command, or opens a sheet. "void" and "call" have to be held.
 * @typedef {{label: string, kind: string, command?: import("./press.js").Command, open?: () => void}} Key
 */

/**
 * @param {import("./dealer.js").Dealer} dealer @param {any} table @param {{seat: number | null}} ask
 * @returns {{left: Key[], right: Key[]}}
 */
export function keysFor(dealer, table, ask) {
  const left = [
    { label: words.buttons.void, kind: "void", command: pressed("void") },
    { label: words.buttons.supervisor, kind: "call", command: pressed("supervisor") },
    { label: words.cards, kind: "plain", open: () => openCards(dealer, ask.seat ?? 1) },
  ];
  const right = [
    { label: words.buttons.next, kind: "choice", command: pressed("next") },
    { label: words.buttons.green, kind: "main", command: pressed("green") },
  ];
  return { left, right };
}

/** @param {string} button */
const pressed = (button) => ({ name: "press", data: { button } });
