// @ts-check
/** The bets of one seat: spots across, chips below. What lies there is what the table says, never what was hoped. */
import { chips, chipsOf } from "./cards.js";
import { h, redraw, s } from "./dom.js";
import { spotsOf } from "./felt.js";
import { layable, offered } from "./offers.js";
import { openSheet } from "./sheet.js";
import { money, named, words } from "./words.js";

/** How long the picture of a bet is waited for. */
const PICTURE_MS = 500;

/** @param {import("./dealer.js").Dealer} dealer @param {number} seat */
export function openBets(dealer, seat) {
  // Read anew each time: some spots are open only to a seat that has a stake on another one.
  const open = () => spotsOf(dealer.table).filter((spot) => offer(dealer.table, seat, spot) !== null);
  let spots = open();
  if (!spots.length) return;
  if (dealer.isNobody) {
    location.hash = `#/login/${encodeURIComponent(dealer.key)}/bets`; // before a bet is built that would be lost
    return;
  }
  let on = spots[0];
  /** Stakes that were chosen and not yet placed. @type {Map<string, {cents: number, colour: string | null}>} */
  const chosen = new Map();
  const row = h("div", { class: "spots" }), colours = h("div", { class: "colours" });
  const lies = (/** @type {string} */ spot) =>
    dealer.table.seats[seat - 1]?.stakes.find((/** @type {any} */ one) => one.wager === spot);
  const cents = (/** @type {string} */ spot) => chosen.get(spot)?.cents ?? lies(spot)?.stake_cents ?? 0;
  const colour = (/** @type {string} */ spot) => chosen.get(spot)?.colour ?? lies(spot)?.colour ?? null;
  /** The chips that were put down in this sheet, spot by spot, in their order. @type {Map<string, number[]>} */
  const laid = new Map();
  /** @param {number} worth */
  const lay = (worth) => {
    laid.set(on, [...(laid.get(on) ?? []), worth]);
    put(cents(on) + worth);
  };
  /** @param {number} amount */
  const put = (amount) => {
    chosen.set(on, { cents: amount, colour: colour(on) });
    draw();
  };
  /** Which chip the undo key takes: the last one put there, else the smallest in a stake that lies there, but not its last. */
  const last = () => laid.get(on)?.at(-1) ?? smallest(cents(on), chipsOf(dealer.table));
  const takeOneBack = () => {
    const worth = last();
    laid.get(on)?.pop();
    put(cents(on) - worth);
  };
  const tray = chipsOf(dealer.table).map((worth) =>
    h(
      "button",
      { type: "button", class: "chip-key", "aria-label": `+${money(worth)}`, click: () => lay(worth) },
      s("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, chips(worth, 0, 0)),
      h("b", {}, money(worth)),
    ),
  );
  const undo = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "plain", click: () => takeOneBack() }, words.takeOneBack));
  const clear = h("button", { type: "button", class: "plain", click: () => takeAllBack() }, words.takeAllBack);
  const place = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "main", click: () => send() }, words.place));
  const sheet = openSheet(dealer, "bets", words.seat(seat), {
    body: [row, colours, h("div", { class: "tray" }, ...tray, undo, clear, place)],
    update: () => draw(),
  });

  /** Why a stake would be refused, before anybody asks the table. @param {string} spot */
  function wrong(spot) {
    const amount = chosen.get(spot)?.cents, bounds = offer(dealer.table, seat, spot);
    if (!amount || !bounds) return null;
    if (bounds.most && amount > bounds.most) return words.atMost(money(bounds.most));
    return bounds.least && amount < bounds.least ? words.atLeast(money(bounds.least)) : null;
  }
  function draw() {
    spots = open();
    place.disabled = spots.some(wrong);
    undo.disabled = !last();
    redraw(row, [on, spots.map((spot) => [cents(spot), colour(spot), lies(spot)])], () => spots.map(drawSpot));
    const names = offer(dealer.table, seat, on)?.colours ?? [];
    redraw(colours, [names, colour(on)], () => names.map(drawColour));
  }
  /** @param {string} spot */
  function drawSpot(spot) {
    const amount = cents(spot), bounds = offer(dealer.table, seat, spot);
    const limits = wrong(spot) ?? (bounds?.least ? words.limits(money(bounds.least), bounds.most ? money(bounds.most) : "…") : "");
    const isDue = chosen.has(spot) && amount !== (lies(spot)?.stake_cents ?? 0);
    const attributes = { type: "button", class: `spot-key${spot === on ? " on" : ""}${isDue ? " due" : ""}${wrong(spot) ? " wrong" : ""}`, "aria-pressed": String(spot === on) };
    return h(
      "button",
      { ...attributes, click: () => ((on = spot), draw()) },
      h("span", {}, named(words.spots, spot)),
      amount ? s("svg", { viewBox: "-12 -18 24 30", "aria-hidden": "true" }, chips(amount, 0, 0)) : null,
      h("b", {}, amount ? money(amount) : "–"),
      h("small", {}, limits),
    );
  }
  /** @param {string} name */
  function drawColour(name) {
    const isOn = colour(on) === name, attributes = { type: "button", class: `plain ${name}${isOn ? " on" : ""}` };
    const choose = () => (chosen.set(on, { cents: cents(on), colour: name }), draw());
    return h("button", { ...attributes, "aria-pressed": String(isOn), click: choose }, named(words.colours, name));
  }
  async function takeAllBack() {
    chosen.clear();
    laid.clear();
    if (spots.some((spot) => lies(spot))) await dealer.send({ name: "clear-bets", data: { seat } });
    draw();
  }
  async function send() {
    const before = spots.length;
    for (const [wager, stake] of chosen) {
      if (!stake.cents) continue;
      const named = stake.colour === null ? {} : { colour: stake.colour };
      const answer = await dealer.send({ name: "bet", data: { seat, wager, stake_cents: stake.cents, ...named } });
      if (!answer?.accepted) return;
      chosen.delete(wager);
      laid.delete(wager);
    }
    // The answer comes before the picture that has this bet. If it opens another spot, the sheet stays for that one.
    await new Promise((seen) => {
      dealer.stream.addEventListener("change", seen, { once: true });
      setTimeout(seen, PICTURE_MS);
    });
    if (open().length <= before) return sheet.close();
    on = open().find((spot) => !lies(spot)) ?? on;
    draw();
  }
  draw();
}

/** What may be staked on a spot of a seat, or null if nothing. @param {any} table @param {number} seat @param {string} spot */
function offer(table, seat, spot) {
  const bet = offered(table, "bet", seat).find((one) => one.choices.includes(spot));
  return bet ? { ...(bet.amount && layable(bet.amount, chipsOf(table))), colours: bet.colours } : null;
}

/** The smallest chip in a stake of the largest chips that make it, or 0 if it is one chip. @param {number} cents @param {number[]} worths */
function smallest(cents, worths) {
  let left = cents, found = 0;
  for (const worth of worths) {
    if (left < worth) continue;
    found = worth;
    left %= worth;
  }
  return found < cents ? found : 0;
}
