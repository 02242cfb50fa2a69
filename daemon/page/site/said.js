// @ts-check
/**
 * What the table says, in the page's language. The table speaks English, and an English page shows its sentence as it
 * came. Another language has a form for each id that stands beside a sentence, and fills it with the same fields. Forms
 * that are seldom needed are loaded when the first of them is; until they are here, their sentences stand in English.
 */
import { capital, words } from "./words.js";

const spoken = words.said ? await import("./spoken.js") : null;

/** @typedef {Record<string, any> & {id: string}} Clause */

let isWhole = !spoken;
/** @type {Promise<void> | undefined} */
let loading;

/** Whether every form is here. What draws sentences that are seldom said draws them again when it is. */
export const isAllSayable = () => isWhole;

/** Load the forms that are seldom needed. Where that fails, English stands, and the next sentence tries again. @returns {Promise<void>} */
export async function allSayable() {
  if (!spoken || isWhole) return;
  loading ??= spoken.takeInTheRest().then(
    () => void (isWhole = true),
    () => void (loading = undefined),
  );
  await loading;
}

/** Load them if something is said of these events that needs them: what is drawn once cannot begin in English. @param {any[]} events @returns {Promise<void>} */
export async function sayable(events) {
  const all = events.flatMap(({ data }) => data.said ?? []);
  if (all.length && !isSayable(all)) await allSayable();
}

/** A name of the contract's, as this page calls it. @param {string} name @returns {string | undefined} */
export const calledHere = (name) => spoken?.nameOf(name);

/**
 * A table's prompt. @param {any} table @param {any[]} [steps] those that the prompt puts in words
 * @returns {string}
 */
export const promptOf = (table, steps = table.ask?.steps ?? []) => sentences(table.prompt, table.prompt_said, steps);

/** Sentences one after the other, which share the steps. @param {string} text @param {Clause[] | undefined} said @param {any[]} steps */
export function sentences(text, said, steps) {
  return spoken && isSayable(said) ? spoken.sentences(said, steps) : text;
}

/** The clauses of a reason. @param {string} text @param {Clause | Clause[] | null | undefined} said @returns {string} */
export function reasons(text, said) {
  const all = Array.isArray(said) ? said : said ? [said] : undefined;
  return spoken && isSayable(all) ? spoken.clauses(all) : text;
}

/** The same where it stands alone. @param {string} text @param {Clause | Clause[] | null | undefined} said */
export const statement = (text, said) => capital(reasons(text, said));

/** What came of a press: the table's words, or those of the page's server. @param {import("./press.js").Answer} answer @returns {Promise<string>} */
export async function answered({ code, message, said }) {
  if (!said) return words.answers?.[code] ?? message;
  await allSayable(); // it is said once and for seconds, so it does not begin in English
  return statement(message, said);
}

/** An event's or a finding's data with its sentence, reason or message in the page's language. @param {any} data */
export function inWords(data) {
  if (!spoken || !data?.said) return data;
  if ("sentence" in data) return { ...data, sentence: sentences(data.sentence, data.said, data.steps ?? []) };
  const name = ["reason", "problem"].find((each) => each in data) ?? "message";
  // The device that interrupted a round stands before its reason, and is a field of its own.
  const text = reasons(data[name], data.said), by = data.device ? `${data.device}: ` : "";
  return { ...data, [name]: text.startsWith(by) && name === "reason" ? text.slice(by.length) : text };
}

/** @param {Clause[] | undefined} said @returns {said is Clause[]} */
function isSayable(said) {
  const forms = words.said?.forms;
  if (!forms || !said?.length) return false;
  const isKnown = said.every((one) => one.id in forms && (!one.because || isSayable(one.because)));
  if (!isKnown) allSayable();
  return isKnown;
}

