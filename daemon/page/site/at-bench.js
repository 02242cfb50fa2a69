// @ts-check
/** What the screens of a table have more of at a bench: its people without passwords, and hands at its device. */
import { logIn, tellBench } from "./press.js";
import { words } from "./words.js";

/** The user of a bench who is nobody of its own people. */
export const GUEST = "bench-guest";
export const DEALER = "bench-dealer";
/** In these phases nothing is drawn from a shoe. */
const NO_CARDS = ["idle", "betting", "choosing", "held", "interrupted", "voiding", "reconciling"];

/** Log in as one of the bench's people. @param {import("./stream.js").Stream} stream @param {string} name @returns {Promise<boolean>} */
export async function logInAs(stream, name) {
  if (!stream.trialUsers.includes(name)) return false;
  const answer = await logIn(name, "");
  if (!answer.accepted) return false;
  stream.user = name;
  return true;
}

/** @type {typeof import("./take-over.js") | undefined} */
let over;

/**
 * Keys in place of all others while the bench plays by itself, for a person who has not said which of its people they are.
 * @param {import("./dealer.js").Dealer} dealer @returns {import("./keys.js").Key[]}
 */
export function takeOver(dealer) {
  const { stream, key } = dealer, room = stream.benches.get(key)?.room;
  if (!room || room.is_paused || (stream.user && stream.user !== GUEST)) return [];
  if (!over) import("./take-over.js").then((loaded) => ((over = loaded), dealer.show()));
  return over?.takeOverKeys(dealer) ?? [];
}

/**
 * What the dealer's hands do at the device. A bench that plays by itself does it with its own hands.
 * @param {import("./dealer.js").Dealer} dealer @param {any} table @returns {import("./keys.js").Key[]}
 */
export function handKeys(dealer, table) {
  const bench = dealer.stream.benches.get(dealer.key);
  if (!bench?.room?.is_paused) return [];
  const does = async (/** @type {string} */ word, /** @type {string} */ device) => {
    if (!dealer.isLive || dealer.isWaiting) return; // a finger that bounces draws one card
    if (!dealer.stream.user && !(await logInAs(dealer.stream, DEALER))) return;
    await dealer.alone(() => tellBench(dealer.key, word, { device }));
  };
  const key = (/** @type {string} */ word, /** @type {string} */ device) => {
    return [{ label: words.bench.hands[word], kind: "main", open: () => does(word, device) }];
  };
  const machine = bench["device/shuffler"];
  // While its motor runs, not all of the packet is out.
  if (machine?.tray && !machine.lamps.motor) return key("take", "shuffler");
  return bench["device/shoe"] && !NO_CARDS.includes(table.phase) ? key("draw", "shoe") : [];
}
