// @ts-check
/** Who needs somebody: the worst first, then the one that waits longest. A row keeps its element, and so the focus on it. */
import { logInLink } from "./desk.js";
import { h, redraw } from "./dom.js";
import { isForOthers, isOffered, offered, othersOf } from "./offers.js";
import { statement } from "./said.js";
import { NOTHING_READ, troubleMark, UNREAD } from "./trouble.js";
import { words } from "./words.js";

/** @typedef {{told: import("./stream.js").Told, trouble: import("./trouble.js").Trouble}} Ranked */

const HASH = (/** @type {string[]} */ ...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;

export class Needs {
  /** @param {import("./pit.js").Pit} pit */
  constructor(pit) {
    this.pit = pit;
    this.list = h("ul", { class: "needs" });
    this.quiet = h("p", { class: "quiet" }, words.nobodyNeeded);
    this.spoken = h("div", { class: "spoken", role: "log", "aria-live": "assertive" });
    this.made = h("aside", { "aria-label": words.needsSomebody }, h("h2", {}, words.needsSomebody), this.quiet, this.list, this.spoken);
    /** @type {Map<string, {row: HTMLElement, age: HTMLElement, body: HTMLElement, sinceMs: number, level: number}>} */
    this.rows = new Map();
    this.movedMs = -Infinity;
  }

  /** @param {Ranked[]} needing every table that needs somebody */
  show(needing) {
    const ranked = needing.filter((each) => this.pit.attempt(each.told, () => this.showRow(each)));
    const wanted = new Set(ranked.map(({ told }) => told.table));
    for (const [name, kept] of this.rows) {
      if (wanted.has(name)) continue;
      kept.row.remove();
      this.rows.delete(name);
    }
    const order = [...ranked].sort((a, b) => b.trouble.level - a.trouble.level || this.since(a) - this.since(b));
    order.forEach(({ told }, place) => {
      const { row } = /** @type {{row: HTMLElement}} */ (this.rows.get(told.table));
      if (this.list.children[place] === row) return;
      this.list.insertBefore(row, this.list.children[place] ?? null);
      this.movedMs = performance.now();
    });
    this.quiet.hidden = ranked.length > 0;
    this.tick();
  }

  /** @param {Ranked} each */
  since({ told, trouble }) {
    return trouble.sinceMs || this.rows.get(told.table)?.sinceMs || 0;
  }

  /** @param {Ranked} each */
  showRow({ told, trouble }) {
    const name = told.table, { level, word, message } = trouble;
    const table = trouble === UNREAD ? NOTHING_READ : this.pit.desk(name).table;
    let kept = this.rows.get(name);
    if (!kept) {
      const age = h("time"), body = h("div");
      kept = { row: h("li", { "data-table": name }, body), age, body, sinceMs: Date.now(), level: 0 };
      this.rows.set(name, kept);
    }
    const { age, body, row } = kept;
    if (trouble.sinceMs) kept.sinceMs = trouble.sinceMs;
    if (level > kept.level) this.spoken.replaceChildren(`${name}: ${word}. ${message}`);
    kept.level = level;
    row.dataset.level = String(level);
    const alerts = level < 3 ? table.alerts : [];
    redraw(body, [word, message, alerts, table.may, table.others, table.round_id], () => [
      h("header", {}, troubleMark(level), h("b", {}, name), h("span", {}, word), age),
      h("p", {}, message),
      ...alerts.map((/** @type {any} */ alert) => h("p", { class: "remedy" }, statement(alert.remedy, alert.remedy_said))),
      h("nav", {}, ...this.keys(name, table, level)),
    ]);
  }

  /** What can be done from here: rule, clear an alert, look. @param {string} name @param {any} table @param {number} level */
  keys(name, table, level) {
    const open = () => this.unlessMoved(() => this.pit.open(name));
    const keys = [];
    const [rule] = othersOf(table).filter((offer) => offer.command === "rule");
    if (rule || offered(table, "rule").length) {
      const who = rule ? h("small", {}, words.roles(rule.roles)) : null;
      keys.push(h("button", { type: "button", class: "rule", click: open }, words.commands.rule, who));
    }
    for (const alert of level < 3 ? table.alerts : []) {
      const who = words.roles(alert.cleared_by);
      if (isForOthers(table, "clear-alert", alert.alert)) keys.push(logInLink(this.pit.desk(name), who));
      if (!isOffered(table, "clear-alert", alert.alert)) continue;
      const clear = () => this.unlessMoved(() => this.pit.desk(name).send({ name: "clear-alert", data: { alert: alert.alert, since_ms: alert.since_ms }, round: null }));
      keys.push(h("button", { type: "button", click: clear }, words.commands["clear-alert"], h("small", {}, who)));
    }
    if (table.round_id) keys.push(h("a", { href: HASH("rounds", name, table.round_id) }, words.evidence));
    keys.push(h("a", { href: HASH("dealer", name) }, words.look));
    return keys;
  }

  /** A row may have moved under the finger: then nothing is done. @param {() => void} act */
  unlessMoved(act) {
    if (performance.now() - this.movedMs < 250) this.pit.said.say(words.changed, "no");
    else act();
  }

  /** Ages alone are written each second: a redraw would take the focus away. */
  tick() {
    for (const { age, sinceMs } of this.rows.values()) {
      const text = words.seconds(Math.max(0, Math.round((Date.now() - sinceMs) / 1000)));
      if (age.textContent !== text) age.textContent = text;
    }
  }
}
