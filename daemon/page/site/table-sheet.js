// @ts-check
/** What somebody does at one table from the pit: rule, clear alerts, open, close, change; and who may do what there. */
import { drawAlerts } from "./alerts.js";
import { h, redraw } from "./dom.js";
import { isHeld } from "./hold.js";
import { sections } from "./more.js";
import { offersOf, othersOf } from "./offers.js";
import { causesOf, renew } from "./rulings.js";
import { promptOf } from "./said.js";
import { openSheet } from "./sheet.js";
import { money, named, words } from "./words.js";

/** @param {import("./desk.js").PitDesk} desk */
export function openTable(desk) {
  const facts = h("p", { class: "facts" }), alerts = h("div", { class: "sheet-alerts" });
  const body = h("div"), people = h("div", { class: "people" });
  let shown = "";
  /** @param {any} table */
  const update = (table) => {
    redraw(facts, [table.game, table.phase, table.round_number, promptOf(table)], () => [
      h("b", {}, `${named(words.games, table.game)}, ${named(words.phases, table.phase)}, ${words.round(table.round_number)}. `),
      promptOf(table),
    ]);
    redraw(last, table.rounds ?? [], () => drawRounds(desk.key, table.rounds ?? []));
    drawAlerts(alerts, desk);
    const print = JSON.stringify([offersOf(table), othersOf(table), table.standstill, causesOf(table)]);
    if (print === shown || isHeld(body)) return; // a reason that is being typed stays, and so does a key that is held
    shown = print;
    renew(body, sections(desk, () => sheet.close()));
  };
  const last = h("div", { class: "last-rounds" });
  const screens = [["dealer", words.look], ["rounds", words.rounds], ...(desk.pit.stream.benches.has(desk.key) ? [["bench", words.bench.title]] : [])];
  const links = screens.map(([where, label]) =>
    h("a", { href: `#/${where}/${encodeURIComponent(desk.key)}` }, label),
  );
  const scroll = h("div", { class: "scroll" }, h("nav", { class: "links" }, ...links), facts, alerts, body, last, people);
  const sheet = openSheet(desk, "table", desk.key, { body: [scroll], update });
  update(desk.table);
  if (desk.pit.stream.user) showPeople(people, desk.key);
}

/** The last rounds, each with a link to what happened in it. @param {string} key @param {any[]} rounds */
function drawRounds(key, rounds) {
  if (!rounds.length) return [];
  const rows = rounds.map((one) => {
    const how = one.end === "voided" ? words.voided : words.settled(money(one.take_cents));
    const why = one.irregularity ? h("small", {}, named(words.irregularities, one.irregularity)) : null;
    const clock = (/** @type {number} */ ms) => new Date(ms).toTimeString().slice(0, 5);
    const at = [one.began_ms, one.ended_ms].filter((ms) => ms !== null).map(clock).join("–");
    return h("li", {}, h("a", { href: `#/rounds/${encodeURIComponent(key)}/${encodeURIComponent(one.id)}` }, words.round(one.number)), h("time", {}, at), h("span", {}, how), why);
  });
  return [h("h3", {}, words.rounds), h("ul", {}, ...rows)];
}

/** The people of this table and what they are, as the site's file has them. Here nobody changes them. @param {HTMLElement} part @param {string} key */
async function showPeople(part, key) {
  const answer = await fetch("/people").catch(() => null);
  if (!answer?.ok) return;
  const all = /** @type {{user: string, role: string, tables: string[], seats: number[]}[]} */ (await answer.json());
  const here = all.filter((one) => one.tables.includes("*") || one.tables.includes(key));
  if (!here.length) return;
  part.replaceChildren(
    h("h3", {}, words.people),
    h(
      "ul",
      {},
      ...here.map((one) => h("li", {}, h("b", {}, one.user), ` ${words.roles([one.role])} `, one.seats.map(words.seat).join(", "))),
    ),
  );
}
