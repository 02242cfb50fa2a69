// @ts-check
/** What the page says of itself, in the language that was chosen. What the table says comes in its own words. */

/** Only the language that is spoken is loaded. @type {Record<string, () => Promise<typeof import("./words.en.js").english>>} */
const LANGUAGES = {
  en: async () => (await import("./words.en.js")).english,
  es: async () => (await import("./words.es.js")).spanish,
};
const chosen = localStorage.getItem("language") ?? navigator.language.slice(0, 2);

export const language = chosen in LANGUAGES ? chosen : "en";
export const words = await LANGUAGES[language]();
document.documentElement.lang = language;

/** Where the board is that is read from afar. */
export const WALL = "/?wall=3m#/pit";

/** @param {string} other */
export function speak(other) {
  localStorage.setItem("language", other);
  location.reload();
}

/** Return the word for a name of the contract, or the name itself where this page does not know it. */
export const named = (/** @type {Record<string, string>} */ list, /** @type {string} */ name) =>
  list[name] ?? name.replace(/[-_]/g, " ");

/** The table's clauses begin small, because others of its sentences take them in. What stands alone begins with a capital. @param {string} text */
export const capital = (text) => text.replace(/^[¿¡]*./u, (begin) => begin.toUpperCase());

/** Cents as units, without ".00", with thin spaces and a true minus. @param {number} cents */
export function money(cents) {
  const whole = Math.abs(cents);
  const units = String(Math.floor(whole / 100)).replace(/\B(?=(\d{3})+$)/g, "\u2009");
  const rest = whole % 100 ? `.${String(whole % 100).padStart(2, "0")}` : "";
  return `${cents < 0 ? "−" : ""}${units}${rest}`;
}
