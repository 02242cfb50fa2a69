// @ts-check
/** The 52 cards: a hand that lies open is entered by touching what lies there. */
import { RANK_ORDER, SUIT_ORDER, card, cardName } from "./cards.js";
import { h, s } from "./dom.js";
import { openSheet } from "./sheet.js";
import { words } from "./words.js";

const HAND_CARDS = 5;

/** Where each card lies that everybody can see. @param {any} table @returns {Map<string, string>} */
function lyingOpen(table) {
  const lying = new Map();
  for (const seat of table.seats) {
    const hands = [seat.settled?.cards ?? [], ...seat.hands.map((/** @type {any} */ hand) => hand.cards)];
    for (const face of hands.flat()) if (face) lying.set(face, words.seat(seat.seat));
  }
  for (const face of table.dealer_cards) if (face) lying.set(face, words.seat(0));
  for (const face of table.community_cards) if (face) lying.set(face, words.seat(-1));
  return lying;
}

/**
 * Open the sheet for one place. The table knows how many cards it wants, and the places that wait for cards.
 * @param {import("./dealer.js").Dealer} dealer @param {number} seat
 * @param {{least?: number, most?: number, hand?: number | null, places?: number[], repeats?: boolean}} [wants]
 */
export function openCards(dealer, seat, wants = {}) {
  const table = dealer.table, repeats = wants.repeats ?? Boolean(table.shoe);
  const most = wants.most ?? table.seats[seat - 1]?.cards_dealt ?? HAND_CARDS, least = wants.least ?? most;
  const lying = repeats ? new Map() : lyingOpen(table);
  /** @type {string[]} */
  const chosen = [];
  const shown = s("svg", { class: "chosen", role: "img" });
  const enter = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "main", click: () => send() }, words.enter));
  const back = h("button", { type: "button", class: "plain", click: () => (chosen.pop(), draw()) }, words.takeBack);
  const grid = h("div", { class: "grid", role: "group", "aria-label": words.cards });
  /** @param {string} face */
  const touch = (face) => {
    if (!repeats && chosen.includes(face)) chosen.splice(chosen.indexOf(face), 1);
    else if (chosen.length < most) chosen.push(face);
    draw();
  };
  for (const suit of SUIT_ORDER) {
    for (const rank of RANK_ORDER) {
      const face = rank + suit, where = lying.get(face);
      const name = cardName(face) + (where ? `, ${words.lies(where)}` : "");
      const picture = s("svg", { viewBox: "0 0 42 58", "aria-hidden": "true" }, card(face, 0, 0));
      const attributes = { type: "button", class: "card-key", "data-face": face, "aria-label": name, disabled: Boolean(where) };
      grid.append(h("button", { ...attributes, click: () => touch(face) }, picture, where ? h("small", {}, where) : null));
    }
  }
  const places = wants.places ?? [];
  const others = h("div", { class: "places" }, ...places.map((place) => {
    const isHere = place === seat;
    const attributes = { type: "button", class: `plain${isHere ? " on" : ""}`, "aria-pressed": String(isHere) };
    return h("button", { ...attributes, click: () => openCards(dealer, place, wants) }, place > 0 ? String(place) : words.seat(place));
  }));
  const sheet = openSheet(dealer, "cards", words.seat(seat), { head: [others, shown, back, enter], body: [grid] });

  function draw() {
    const slots = Array.from({ length: most }, (_, i) =>
      chosen[i] ? card(chosen[i], i * 46 + 2, 2) : s("rect", { class: "slot", x: i * 46 + 3, y: 3, width: 40, height: 56, rx: 5 }),
    );
    shown.replaceChildren(...slots);
    shown.setAttribute("viewBox", `0 0 ${most * 46 + 4} 62`);
    shown.setAttribute("aria-label", words.of(chosen.length, most));
    for (const key of grid.children) {
      const isOn = chosen.includes(/** @type {HTMLElement} */ (key).dataset.face ?? "");
      key.classList.toggle("on", isOn);
      key.setAttribute("aria-pressed", String(isOn));
    }
    enter.disabled = chosen.length < least;
    grid.classList.toggle("full", chosen.length === most);
  }
  async function send() {
    const hand = wants.hand === undefined || wants.hand === null ? {} : { hand: wants.hand };
    const answer = await dealer.send({ name: "enter-cards", data: { seat, cards: chosen, ...hand } });
    if (answer?.accepted) sheet.close();
  }
  draw();
}
