// @ts-check
/** The strip: which table, which game, and whether everything is there. */
import { h } from "./dom.js";
import { named, words } from "./words.js";

/** @param {string} key @param {any} table @param {string} user @returns {import("./dom.js").Child[]} */
export function drawStrip(key, table, user) {
  return [
    h("a", { class: "home", href: "#/pit" }, `‹ ${key}`),
    h("span", { class: "game" }, named(words.games, table.game)),
    h("span", { class: "round" }, words.round(table.round_number)),
    h("span", { class: "phase" }, named(words.phases, table.phase)),
    h("span", { class: "gap" }),
    table.opened ? null : h("span", { class: "device lost" }, words.tableClosed),
    h("span", { class: `deck ${table.deck}` }, named(words.decks, table.deck)),
    ...table.devices.map(drawDevice),
    h("a", { class: "who", href: `#/login/${encodeURIComponent(key)}` }, user || words.notLoggedIn),
    h("span", { class: "dims" }),
    h("span", { class: "link" }),
  ];
}

/** @param {any} device */
export function drawDevice(device) {
  const isWell = device.presence === "up" && !device.faults.length;
  const trouble = [named(words.presences, device.presence), ...device.faults].filter(Boolean).join(", ");
  return h("span", { class: `device ${isWell ? "" : "lost"}` }, trouble ? `${device.device}: ${trouble}` : device.device);
}
