// @ts-check
/** Alerts as a whole: what is the matter, what to do, who clears it. */
import { logInLink } from "./desk.js";
import { h, redraw } from "./dom.js";
import { isForOthers, isOffered } from "./offers.js";
import { isAllSayable, statement } from "./said.js";
import { openSheet } from "./sheet.js";
import { words } from "./words.js";

/** Draw all alerts of a table into a part, if they changed. @param {HTMLElement} part @param {import("./desk.js").Desk} desk */
export function drawAlerts(part, desk) {
  const { table } = desk;
  redraw(part, [table.alerts, table.may, table.others, isAllSayable()], () => table.alerts.map((/** @type {any} */ alert) => drawAlert(desk, table, alert)));
}

/** All alerts of a table where there is no room for them. @param {import("./desk.js").Desk} desk */
export function openAlerts(desk) {
  const part = h("div", { class: "sheet-alerts scroll" });
  openSheet(desk, "all-alerts", words.alerts, { body: [part], update: () => drawAlerts(part, desk) });
  drawAlerts(part, desk);
}

/** @param {import("./desk.js").Desk} desk @param {any} table @param {any} alert */
function drawAlert(desk, table, alert) {
  const clear = () => desk.send({ name: "clear-alert", data: { alert: alert.alert, since_ms: alert.since_ms }, round: null });
  const who = words.roles(alert.cleared_by);
  return h(
    "article",
    { class: alert.blocks_play ? "blocks" : "" },
    h("b", {}, statement(alert.message, alert.said)),
    h("p", {}, statement(alert.remedy, alert.remedy_said)),
    h("small", {}, words.clears(who)),
    isOffered(table, "clear-alert", alert.alert)
      ? h("button", { type: "button", class: "plain", click: clear }, words.commands["clear-alert"])
      : isForOthers(table, "clear-alert", alert.alert)
        ? logInLink(desk, who)
        : null,
  );
}
