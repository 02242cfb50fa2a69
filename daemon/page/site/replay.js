// @ts-check
/**
 * The table at one step of a round, laid out from its events: where no journal is beside the page. What events do not
 * say, as which spot a raise lies on before it is settled, is not drawn.
 */

/** @typedef {{seat: number | null, steps: any[]}} Ask */

/**
 * @param {any[]} events of one round, in order @param {number} last the place of the event after which it is drawn
 * @param {any} like a table of this kind: its seats and spots @returns {{table: any, ask: Ask}}
 */
export function tableAfter(events, last, like) {
  const passed = events.slice(0, last + 1), spots = like?.spots ?? [];
  const count = Math.max(like?.seats.length ?? 0, ...events.map(({ data }) => data.seat ?? 0), 1);
  const table = /** @type {any} */ ({
    ...{ game: like?.game ?? "", phase: "betting", round_number: 0, prompt: "", variant: null, button: null, shoe: null },
    ...{ spots, dealer_cards: [], community_cards: [], seats: Array.from({ length: count }, (_, i) => blank(i + 1)) },
  });
  const round = { table, ask: /** @type {Ask} */ ({ seat: null, steps: [] }) };
  for (const { type, data } of passed) {
    const seat = table.seats[(data.seat ?? 0) - 1];
    TAKES[type]?.(round, data, seat ?? blank(0));
  }
  return round;
}

/** @param {number} seat */
const blank = (seat) => ({
  ...{ seat, stakes: /** @type {any[]} */ ([]), results: /** @type {any[]} */ ([]), hands: /** @type {any[]} */ ([]) },
  ...{ open_cards: [], settled: null, first_5: null, draws: null, cards_dealt: null, delivered: false, reconciled: false },
});

/** What each kind of event changes. @type {Record<string, (round: {table: any, ask: Ask}, data: any, seat: any) => void>} */
const TAKES = {
  "round-opened": ({ table }, data) => Object.assign(table, { game: data.game, round_number: data.number }),
  "bet-placed": (_, data, seat) => {
    seat.stakes = seat.stakes.filter((/** @type {any} */ one) => one.wager !== data.wager || (one.colour ?? null) !== (data.colour ?? null));
    if (data.stake_cents) seat.stakes.push(data);
  },
  "bets-cleared": (_, _data, seat) => (seat.stakes = []),
  "betting-closed": ({ table }, data) => {
    table.phase = "dealing";
    for (const seat of table.seats) seat.stakes = data.stakes.filter((/** @type {any} */ one) => one.seat === seat.seat);
  },
  "stake-corrected": (_, data, seat) => {
    const stake = seat.stakes.find((/** @type {any} */ one) => one.wager === data.wager);
    if (stake) Object.assign(stake, { stake_cents: data.stake_cents });
  },
  "game-chosen": ({ table }, data) => (table.variant = data.variant),
  "button-moved": ({ table }, data) => (table.button = data.seat),
  "hand-dealt": ({ table }, data, seat) => {
    seat.cards_dealt = (data.drawn ? (seat.cards_dealt ?? 0) : 0) + (data.count ?? 0) || (seat.cards_dealt ?? 1);
    if (data.seat === 0) table.dealer_cards = Array(seat.cards_dealt).fill(null);
    if (data.seat < 0) table.community_cards = Array(seat.cards_dealt).fill(null);
  },
  "hand-delivered": (_, _data, seat) => (seat.delivered = true),
  "card-dealt": ({ table }, data, seat) => {
    const cards = data.seat === 0 ? table.dealer_cards : data.seat < 0 ? table.community_cards : openHand(seat, data.hand).cards;
    cards[data.position - 1] = data.card; // the same card again once it is turned over
  },
  "player-decided": (_, data, seat) => {
    if (data.discards !== null) Object.assign(seat, { draws: data.discards });
  },
  "player-cards-shown": (_, data, seat) => (seat.settled = { cards: data.cards, hand: null, total: null }),
  "community-shown": ({ table }, data) => (table.community_cards = data.cards),
  "up-card-shown": ({ table }, data) => (table.dealer_cards[0] = data.card),
  "dealer-cards-shown": ({ table }, data) => (table.dealer_cards = data.cards),
  "dealer-hand-shown": ({ table }, data) => Object.assign(table, { dealer_cards: data.cards, dealer_gives_up: data.discards ?? null }),
  "wager-taken": (_, data, seat) => seat.results.push(data.wager),
  "first-five-settled": (_, data, seat) => {
    seat.results.push(data.wager);
    seat.first_5 = data;
  },
  "fold-settled": (_, data, seat) => settle(seat, data),
  "hand-settled": (_, data, seat) => {
    settle(seat, data);
    if (data.hands.length) seat.hands = data.hands;
  },
  "seat-reconciled": (_, _data, seat) => (seat.reconciled = true),
  "dealer-prompted": (round, data) => {
    round.table.prompt = data.sentence;
    round.table.prompt_said = data.said;
    round.ask = { seat: data.seat, steps: data.steps };
  },
  "round-voided": (round, data) => (round.ask = { seat: null, steps: data.steps ?? [] }),
};

/** @param {any} seat @param {number} place */
function openHand(seat, place) {
  const at = Math.max(0, place - 1);
  return (seat.hands[at] ??= { cards: [], total: null, soft: false, state: "open", doubled: false });
}

/** What was settled says what lay there, also a stake that no event placed on a spot. @param {any} seat @param {any} data */
function settle(seat, data) {
  seat.settled = data;
  seat.results = [...seat.results, ...data.wagers];
  const said = new Set(seat.stakes.map((/** @type {any} */ one) => one.wager));
  seat.stakes = [...seat.stakes, ...data.wagers.filter((/** @type {any} */ one) => one.stake_cents && !said.has(one.wager))];
}
