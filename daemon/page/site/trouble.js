// @ts-check
/** How badly a table needs somebody, and why. */
import { h } from "./dom.js";
import { promptOf, statement } from "./said.js";
import { named, words } from "./words.js";

/** @typedef {import("./stream.js").Told} Told */
/** @typedef {{level: number, word: string, message: string, sinceMs: number}} Trouble */

export const LOST = 5;
const INTERRUPTED = 4, HELD = 3, BLOCKED = 2, ALERT = 1, NONE = 0;
const FINE = { level: NONE, word: "", message: "", sinceMs: 0 };
/** What this page cannot read: a newer feltd wrote it, or somebody who has the table's password. */
export const UNREAD = { level: LOST, word: words.unread, message: words.notRead, sinceMs: 0 };
/** What stands in for the table then. */
export const NOTHING_READ = { alerts: [], may: [], others: [], round_id: null };
const IS_OVER = ["idle", "betting"];

/**
 * Return what is wrong at a table: 5 nobody knows, 4 interrupted, 3 held, 2 play is blocked, 1 an alert or a device.
 * @param {Told} told @returns {Trouble}
 */
export function troubleOf(told) {
  const table = told.state?.table, status = told.status?.status;
  if (!table) return FINE;
  const since = (/** @type {number | null | undefined} */ ms) => ms ?? 0;
  if (status === "lost" || (status === "stopped" && !IS_OVER.includes(table.phase))) {
    return { level: LOST, word: words.lost, message: words.gone, sinceMs: 0 };
  }
  if (status !== "running") return FINE;
  const { phase, standstill } = table;
  if (phase === "interrupted" || phase === "held") {
    const level = phase === "held" ? HELD : INTERRUPTED;
    const message = standstill ? statement(standstill.reason, standstill.said) : promptOf(table);
    const sinceMs = since(standstill?.since_ms ?? table.phase_since_ms);
    return { level, word: named(words.phases, phase), message, sinceMs };
  }
  const alert = table.alerts.find((/** @type {any} */ one) => one.blocks_play) ?? table.alerts[0];
  if (alert) {
    const level = alert.blocks_play ? BLOCKED : ALERT, word = alert.blocks_play ? words.blocked : words.alert;
    return { level, word, message: statement(alert.message, alert.said), sinceMs: since(alert.since_ms) };
  }
  const device = table.devices.find((/** @type {any} */ one) => one.presence !== "up" || one.faults.length);
  if (!device) return FINE;
  const message = [device.device, named(words.presences, device.presence), ...device.faults].filter(Boolean).join(", ");
  return { level: ALERT, word: words.device, message, sinceMs: 0 };
}

/** Every trouble has a shape of its own, so that nobody has to tell colours apart. @param {number} level */
export function troubleMark(level) {
  return h("i", { class: "mark", "data-level": level, "aria-hidden": "true" }, ["", "!", "!!", "II", "?", "×"][level]);
}
