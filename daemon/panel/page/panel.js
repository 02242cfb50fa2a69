// Draws what the daemon streams. All of it is text from outside, so it is never inserted as markup.

const FACTS_KEPT = 100;
const place = (id) => document.getElementById(id);

function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) if (value) made.setAttribute(name, value === true ? "" : value);
  return made;
}

function dollars(cents) {
  const sign = cents < 0 ? "-" : "";
  const whole = Math.abs(cents);
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, "0")}`;
}

function row(...texts) {
  const made = element("tr");
  made.append(...texts.map((text) => element("td", text)));
  return made;
}

function bet(stake) {
  return row(stake.colour ? `${stake.wager} (${stake.colour})` : stake.wager, dollars(stake.stake_cents));
}

function result(wager) {
  return row(`${wager.wager}: ${wager.outcome}`, `${dollars(wager.stake_cents)} → ${dollars(wager.returned_cents)}`);
}

function openHands(hands) {
  const made = element("div");
  made.append(...hands.map((one) => element("p", `${one.cards.join(" ")} (${one.total})`, { class: "cards" })));
  return made;
}

function hand(seat) {
  if (seat.hands.length) return openHands(seat.hands);
  const open = seat.settled ?? seat.first_5;
  if (open?.cards.length) return element("p", open.cards.join(" "), { class: "cards" });
  if (seat.delivered) return element("p", seat.draws === null ? "hand dealt" : `hand dealt, draws ${seat.draws}`);
  return element("p", seat.cards_dealt === null ? "" : "hand in the tray");
}

// Returns the part of a bet that is not settled: one hand of a split can be lost while the other is played.
function stillOpen(stake, results) {
  const settled = results.filter((wager) => wager.wager === stake.wager);
  return { ...stake, stake_cents: settled.reduce((left, wager) => left - wager.stake_cents, stake.stake_cents) };
}

function spots(seat) {
  const open = seat.stakes.map((stake) => stillOpen(stake, seat.results)).filter((stake) => stake.stake_cents > 0);
  return [...seat.results.map(result), ...open.map(bet)];
}

function seatCard(seat, button) {
  const made = element("li", "", { "data-reconciled": seat.reconciled });
  const bets = element("table");
  bets.append(...spots(seat));
  made.append(element("h3", `Seat ${seat.seat}${seat.seat === button ? ", button" : ""}`), hand(seat), bets);
  return made;
}

function house(table) {
  const shoe = table.shoe;
  const lines = [
    table.dealer_cards.length ? `Dealer: ${table.dealer_cards.join(" ")}` : "",
    table.community_cards.length ? `In common: ${table.community_cards.join(" ")}` : "",
    shoe ? `Shoe: ${shoe.decks} decks, ${shoe.cards_gone} cards out${shoe.is_last_round ? ", last round" : ""}` : "",
  ];
  return lines.filter((line) => line).map((line) => element("p", line, { class: "cards" }));
}

function device(one) {
  const faults = one.faults.length ? `: ${one.faults.join(", ")}` : "";
  return element("li", `${one.device} ${one.presence}${faults}`);
}

function alert(one) {
  const blocks = one.blocks_play ? " No new round until it is cleared." : "";
  return element("li", `${one.message} ${one.remedy}${blocks}`);
}

function draw({ table }) {
  document.title = `${table.table} · feltd`;
  place("name").textContent = `${table.site} / ${table.table}: ${table.game}`;
  const variant = table.variant ? `, ${table.variant}` : "";
  place("phase").textContent = `${table.opened ? "" : "closed, "}${table.phase}, round ${table.round_number}${variant}`;
  place("prompt").textContent = table.prompt;
  place("alerts").replaceChildren(...table.alerts.map(alert));
  place("house").replaceChildren(...house(table));
  place("seats").replaceChildren(...table.seats.map((seat) => seatCard(seat, table.button)));
  place("devices").replaceChildren(...table.devices.map(device));
}

function add(fact) {
  const { kind, ...said } = fact.data;
  const line = element("li", `${fact.time.slice(11, 19)} ${fact.type} ${JSON.stringify(said)}`);
  const facts = place("facts");
  facts.prepend(line);
  while (facts.children.length > FACTS_KEPT) facts.lastChild.remove();
}

function link(text, lost) {
  place("link").textContent = text;
  place("link").toggleAttribute("data-lost", lost);
}

const AGAIN_MS = 5000;

function listen() {
  const events = new EventSource("/events");
  events.addEventListener("open", () => link("live", false));
  events.addEventListener("state", (event) => draw(JSON.parse(event.data)));
  events.addEventListener("fact", (event) => add(JSON.parse(event.data)));
  events.addEventListener("error", () => {
    link("connection lost: what you see may be old", true);
    // A browser reconnects by itself, except after an answer that is not a stream.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MS);
  });
}

listen();
