// @ts-check
/** The 52 cards: a hand that lies open is entered by touching what lies there. */
import { RANK_ORDER, SUIT_ORDER, card, cardName, wideCard } from "./cards.js";
import { h, s } from "./dom.js";
import { offered } from "./offers.js";
import { openSheet } from "./sheet.js";
import { words } from "./words.js";

const HAND_CARDS = 5;

/** Where each card lies that everybody can see, at any other place. @param {any} table @param {number} here */
function lyingElsewhere(table, here) {
  /** @type {Map<string, string>} */
  const lying = new Map();
  /** @param {number} place @param {(string | null)[]} faces */
  const note = (place, faces) => {
    for (const face of faces) if (face && place !== here) lying.set(face, words.seat(place));
  };
  for (const seat of table.seats) {
    note(seat.seat, [...(seat.settled?.cards ?? []), ...(seat.open_cards ?? [])]);
    for (const hand of seat.hands) note(seat.seat, hand.cards);
  }
  note(0, table.dealer_cards);
  note(-1, table.community_cards);
  return lying;
}

/**
 * Open the sheet for one place. The table says where cards are waited for, and how many.
 * @param {import("./dealer.js").Dealer} dealer @param {number} seat @param {number | null} [hand] which of several
 */
export function openCards(dealer, seat, hand = null) {
  const table = dealer.table, repeats = (table.shoe?.decks ?? 1) > 1;
  const offers = offered(table, "enter-cards");
  const offer = offers.find((one) => one.seats.includes(seat) && (one.hand ?? null) === hand);
  const dealt = table.seats[seat - 1]?.cards_dealt ?? null;
  const most = offer?.amount?.most ?? dealt ?? HAND_CARDS, least = offer?.amount?.least ?? dealt ?? 1;
  const lying = repeats ? new Map() : lyingElsewhere(table, seat);
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
      const picture = dealer.narrow.matches
        ? s("svg", { viewBox: "0 0 64 34", "aria-hidden": "true" }, wideCard(face))
        : s("svg", { viewBox: "0 0 42 58", "aria-hidden": "true" }, card(face, 0, 0));
      const attributes = { type: "button", class: "card-key", "data-face": face, "aria-label": name, disabled: Boolean(where) };
      grid.append(h("button", { ...attributes, click: () => touch(face) }, picture, where ? h("small", {}, where) : null));
    }
  }
  const places = offers.flatMap((one) => one.seats.map((place) => ({ place, hand: one.hand ?? null })));
  const others = h("div", { class: "places" }, ...(places.length > 1 ? places.map(placeKey) : []));
  const title = hand === null ? words.seat(seat) : `${words.seat(seat)}.${hand}`;
  const atBench = h("section", { class: "at-bench" });
  const { stream, key } = dealer, isBench = stream.benches.has(key);
  const update = async () => isBench && (await import("./lying.js")).showLying(atBench, stream, key, seat);
  const sheet = openSheet(dealer, "cards", title, { head: [others, shown, back, enter], body: [atBench, grid], update });
  update();

  /** @param {{place: number, hand: number | null}} one */
  function placeKey({ place, hand: which }) {
    const isHere = place === seat && which === hand, label = place > 0 ? String(place) : words.seat(place);
    const attributes = { type: "button", class: `plain${isHere ? " on" : ""}`, "aria-pressed": String(isHere) };
    return h("button", { ...attributes, click: () => openCards(dealer, place, which) }, which ? `${label}.${which}` : label);
  }
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
    const which = hand === null ? {} : { hand };
    const answer = await dealer.send({ name: "enter-cards", data: { seat, cards: chosen, ...which } });
    if (answer?.accepted) sheet.close();
  }
  draw();
}
