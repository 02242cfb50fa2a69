// @ts-check
/** Which screen: `#/dealer/TABLE`, `#/pit`, `#/rounds/TABLE/ROUND/EVENT`, `#/login/TABLE`,
 * `#/bench/TABLE`, `#/play/TABLE/SEAT`. */
import { Dark } from "./dark.js";
import { h } from "./dom.js";
import { Stream } from "./stream.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** What is shown now. Tests and a technician's console look at it. @type {{stream?: Stream, view?: any, wake?: any, dark: Dark}} */
const page = { dark: new Dark() };
Object.assign(globalThis, { page });

/** A screen's scripts and styles are loaded when it is shown first: the dealer's tablet never needs the pit's. */
async function go() {
  const [, where, key, round, step] = location.hash.split("/").map(decodeURIComponent);
  page.stream?.close();
  const stream = (page.stream = new Stream(key && where !== "pit" ? [key] : []));
  for (const [name, preset] of [["suits", "4"], ["light", "dim"]]) {
    document.documentElement.dataset[name] = localStorage.getItem(name) ?? preset;
  }
  stream.addEventListener("state", () => page.dark.wake());
  keepAwake();
  const show = await shower(stream, where, key, round, step);
  if (page.stream === stream) page.view = show();
}

/** @param {Stream} stream @param {string} where @param {string} key @param {string} round @param {string} step @returns {Promise<() => any>} */
async function shower(stream, where, key, round, step) {
  if (where === "dealer" && key) {
    const [{ Dealer }] = await Promise.all([import("./dealer.js"), styled("felt"), styled("dealer"), styled("sheet")]);
    return () => new Dealer(stream, key, root, 0, round === "more");
  }
  if (where === "rounds" && key) {
    const [{ Rounds }] = await Promise.all([import("./rounds.js"), styled("felt"), styled("rounds")]);
    return () => new Rounds(stream, root, key, round, step);
  }
  if (where === "bench" && key) {
    const [{ Bench }] = await Promise.all([import("./bench.js"), styled("felt"), styled("dealer"), styled("sheet"), styled("bench")]);
    return () => new Bench(stream, key, root);
  }
  if (where === "play" && key) {
    const [{ Player }] = await Promise.all([import("./player.js"), styled("felt"), styled("dealer"), styled("sheet")]);
    return () => new Player(stream, key, Number(round) || 1, root);
  }
  if (where === "login") {
    const { showLogin } = await import("./login.js");
    const at = key && encodeURIComponent(key);
    // At a dealer's screen who logs in for what a dealer may not is there for a moment, and at the pit's where somebody else is.
    const isForNow = () => ["more", "now"].includes(round) || (round === "pit" && stream.user !== "");
    const back = !at ? "#/pit" : round === "pit" ? `#/pit/${at}` : `#/dealer/${at}${round === "more" ? "/more" : ""}`;
    return () => showLogin(stream, root, back, round === "bets", isForNow);
  }
  const [{ Pit }] = await Promise.all([import("./pit.js"), styled("felt"), styled("sheet"), styled("pit")]);
  return () => new Pit(stream, root, where === "pit" ? key : "");
}

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/** Load a style sheet once. @param {string} name @returns {Promise<void>} */
function styled(name) {
  let loaded = sheets.get(name);
  if (!loaded) {
    loaded = new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: `/${name}.css`, load: () => done() })));
    sheets.set(name, loaded);
  }
  return loaded;
}

/** Keep the screen from dimming where the browser lets us: over TLS, or on the display's own machine. */
async function keepAwake() {
  if (!("wakeLock" in navigator) || document.hidden) return;
  page.wake = await navigator.wakeLock.request("screen").catch(() => null);
}

document.addEventListener("visibilitychange", keepAwake);
addEventListener("hashchange", go);
addEventListener("spoken", () => page.stream?.say());
go();
