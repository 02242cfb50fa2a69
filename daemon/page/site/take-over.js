// @ts-check
/** Who comes to a bench takes the dealer's place. No table of a site needs it. */
import { DEALER, logInAs } from "./at-bench.js";
import { tellBench } from "./press.js";
import { trial } from "./trial.js";

/** Let the one who looks be the dealer: the bench's people wait. @param {import("./stream.js").Stream} stream @param {string} key */
export async function beDealer(stream, key) {
  await logInAs(stream, DEALER);
  if (!stream.benches.get(key)?.room?.is_paused) return tellBench(key, "pause", {});
  return { accepted: true, code: "", message: "" };
}

/**
 * While the bench's people play, nothing here waits for the person who looks: say so, and how they take over.
 * @param {import("./dealer.js").Dealer} dealer @returns {import("./keys.js").Key[]}
 */
export const takeOverKeys = (dealer) => [
  { label: trial.peoplePlay, kind: "nothing" },
  { label: trial.beDealer, kind: "main", open: () => dealer.isLive && dealer.alone(() => beDealer(dealer.stream, dealer.key)) },
];
