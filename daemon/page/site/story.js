// @ts-check
/** What is said of rounds that are over: only their screen needs it, so no other loads it. */
import { language } from "./words.js";

/** @type {Record<string, () => Promise<typeof import("./story.en.js").english>>} */
const STORIES = {
  en: async () => (await import("./story.en.js")).english,
  es: async () => (await import("./story.es.js")).spanish,
};

export const story = await STORIES[language]();
