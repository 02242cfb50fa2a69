// @ts-check
/** What is said at a bench: no table of a site needs it. */
import { language } from "./words.js";

/** @type {Record<string, () => Promise<typeof import("./trial.en.js").english>>} */
const TRIALS = {
  en: async () => (await import("./trial.en.js")).english,
  es: async () => (await import("./trial.es.js")).spanish,
};

export const trial = await TRIALS[language]();
