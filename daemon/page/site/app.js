// @ts-check
/** Which screen: `#/dealer/TABLE`, `#/pit`, `#/rounds/TABLE/ROUND`, `#/login/TABLE`. */
import { Dealer } from "./dealer.js";
import { showLogin } from "./login.js";
import { Pit } from "./pit.js";
import { showRounds } from "./rounds.js";
import { Stream } from "./stream.js";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
/** What is shown now. Tests and a technician's console look at it. @type {{stream?: Stream, view?: any, wake?: any}} */
const page = {};
Object.assign(globalThis, { page });

function go() {
  const [, where, key, round] = location.hash.split("/").map(decodeURIComponent);
  page.stream?.close();
  const stream = (page.stream = new Stream(key && where !== "pit" ? [key] : []));
  for (const [name, preset] of [["suits", "4"], ["light", "dim"]]) {
    document.documentElement.dataset[name] = localStorage.getItem(name) ?? preset;
  }
  if (where === "dealer" && key) page.view = new Dealer(stream, key, root);
  else if (where === "rounds" && key) page.view = showRounds(root, key, round);
  else if (where === "login") page.view = showLogin(stream, root, key ? `#/dealer/${encodeURIComponent(key)}` : "#/pit");
  else page.view = new Pit(stream, root);
  keepAwake();
}

/** Keep the screen from dimming where the browser lets us: over TLS, or on the display's own machine. */
async function keepAwake() {
  if (!("wakeLock" in navigator) || document.hidden) return;
  page.wake = await navigator.wakeLock.request("screen").catch(() => null);
}

document.addEventListener("visibilitychange", keepAwake);
addEventListener("hashchange", go);
go();
