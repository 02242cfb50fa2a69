// @ts-check
/** Sends a command in the user's own name. Every press has an id, so that it is done once however often it is sent. */
import { words } from "./words.js";

/** @typedef {{accepted: boolean | null, code: string, message: string, said?: import("./said.js").Clause | null}} Answer */
/** @typedef {{name: string, data: Record<string, any>, round?: string | null}} Command */

const AGAIN_MS = 3000; // as `AGAIN_S` of the server

/**
 * The server sends a command again that the table does not answer. Each time `say` tells so, and "" when it is answered.
 * @param {string} table @param {Command} command @param {(text: string, kind: "unknown") => void} say
 * @returns {Promise<Answer>}
 */
export async function press(table, command, say) {
  const body = JSON.stringify({ press_id: pressId(), round: command.round ?? null, data: command.data });
  let isLate = false;
  const asking = setInterval(() => {
    isLate = true;
    say(words.asksAgain, "unknown");
  }, AGAIN_MS);
  try {
    return await post(`/tables/${encodeURIComponent(table)}/cmd/${command.name}`, body);
  } catch {
    return { accepted: null, code: "server-away", message: words.serverAway };
  } finally {
    clearInterval(asking);
    if (isLate) say("", "unknown");
  }
}

/** Say a word to a bench. @param {string} table @param {string} word @param {Record<string, any>} data @returns {Promise<Answer>} */
export async function tellBench(table, word, data) {
  try {
    return await post(`/bench/${encodeURIComponent(table)}/do/${word}`, JSON.stringify(data));
  } catch {
    return { accepted: null, code: "server-away", message: words.serverAway };
  }
}

/** Log in. @param {string} user @param {string} password @param {boolean} [isForNow] whether the user who is logged in here waits meanwhile @returns {Promise<Answer>} */
export async function logIn(user, password, isForNow = false) {
  try {
    const answer = await post("/login", JSON.stringify({ user, password, for_now: isForNow }));
    return answer.code ? answer : { accepted: true, code: "logged-in", message: "" };
  } catch {
    return { accepted: null, code: "server-away", message: words.serverAway };
  }
}

/** Log out; or end only what somebody logged in for over the user who waits. */
export const logOut = (onlyVisit = false) => post("/logout", JSON.stringify({ only_visit: onlyVisit })).catch(() => null);

/** @param {string} path @param {string} body */
async function post(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (answer.headers.get("Content-Type")?.startsWith("application/json")) return answer.json();
  return { accepted: false, code: `http-${answer.status}`, message: (await answer.text()).trim() };
}

/** crypto.randomUUID exists only in a secure context; a page on loopback by name may be none. */
function pressId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
