// @ts-check
/** A player's screen: the table as everybody sees it, the own cards, and what may be said at the own seat. */
import { GUEST, logInAs } from "./at-bench.js";
import { openBets } from "./bets.js";
import { BACK, card, cardName } from "./cards.js";
import { Dealer } from "./dealer.js";
import { h, s } from "./dom.js";
import { decisions } from "./keys.js";
import { commandOf, offered } from "./offers.js";
import { tellBench } from "./press.js";
import { openSheet } from "./sheet.js";
import { trial } from "./trial.js";
import { named, words } from "./words.js";

export class Player extends Dealer {
  /** @param {import("./stream.js").Stream} stream @param {string} key @param {number} seat @param {HTMLElement} root */
  constructor(stream, key, seat, root) {
    super(stream, key, root, seat);
    this.root.classList.add("player");
    this.sat = false;
    this.wasSeen = false;
    this.show();
  }

  get bench() {
    return this.stream.benches.get(this.key);
  }

  /** The table as its last state shows it to this player: with their cards, and with what they may say. */
  get table() {
    const table = this.told?.state?.table;
    if (!table || !this.seat) return table;
    const held = this.bench?.[`seat/${this.seat}`]?.cards ?? [];
    const holder = table.seats[this.seat - 1]?.held_by, isMine = !holder || holder === this.stream.user;
    const may = table.may
      .filter(() => isMine)
      .filter((/** @type {any} */ offer) => offer.roles.includes("player") && offer.seats.includes(this.seat))
      .map((/** @type {any} */ offer) => ({ ...offer, seats: [this.seat] }));
    const seats = table.seats.map((/** @type {any} */ one) => (one.seat === this.seat ? { ...one, held, isMine: true } : one));
    return { ...table, may, seats };
  }

  /** Whether the bench gave the seat back: its guest did not answer for long. */
  get isUp() {
    return this.sat && this.wasSeen && !this.isSeen;
  }

  get isSeen() {
    const room = this.bench?.room;
    return Boolean(room && [...room.guests, ...room.arriving].includes(this.seat));
  }

  show() {
    if (this.isSeen) this.wasSeen = true;
    super.show();
    if (this.seat && this.bench && !this.sat) this.sit();
  }

  async sit() {
    this.sat = true;
    const isGuest = this.stream.user === GUEST || (await logInAs(this.stream, GUEST));
    // Who was not heard asks again: the screens can be up before the bench listens.
    this.sat = isGuest && Boolean((await tellBench(this.key, "sit", { seat: this.seat })).accepted);
    if (this.sat) this.show();
  }

  sitAgain() {
    this.wasSeen = false;
    this.sit();
  }

  async leave() {
    this.wasSeen = false; // who leaves is not told so
    await tellBench(this.key, "leave", { seat: this.seat });
    location.hash = `#/bench/${encodeURIComponent(this.key)}`;
  }

  /** @param {any} table @returns {{left: import("./keys.js").Key[], right: import("./keys.js").Key[]}} */
  keys(table) {
    const left = [{ label: trial.leave, kind: "plain", open: () => this.leave() }];
    if (this.isUp) {
      const again = { label: trial.sitAgain, kind: "main", open: () => this.sitAgain() };
      return { left, right: [{ label: trial.stoodUp, kind: "nothing" }, again] };
    }
    /** @type {import("./keys.js").Key[]} */
    const right = decisions(this, table).flatMap((key) => (key.command?.data.decision === "draw" ? [] : [key]));
    const draw = offered(table, "decide").find((offer) => offer.choices.includes("draw"));
    if (draw) right.push({ label: trial.giveUp, kind: "main", open: () => this.openDraw(draw) });
    const waits = Boolean(this.bench?.room?.waits_for_bets);
    const hasBet = Boolean(table.seats[this.seat - 1]?.stakes.length);
    if (offered(table, "bet").length) right.push({ label: trial.bet, kind: hasBet ? "choice" : "main", open: () => openBets(this, this.seat) });
    if (waits) right.push({ label: trial.deal, kind: hasBet ? "main" : "choice", open: () => tellBench(this.key, "deal", {}) });
    const goOn = () => tellBench(this.key, "pause", {});
    if (this.bench?.room?.is_paused) right.push({ label: trial.goOn, kind: right.length ? "choice" : "main", open: goOn });
    return { left, right: right.length ? right : [{ label: this.bench?.room?.arriving?.includes(this.seat) ? trial.nextRound : trial.wait, kind: "nothing" }] };
  }

  /** @param {Event} event */
  async touchSeat(event) {
    const at = /** @type {Element} */ (event.target).closest("[data-seat]");
    if (at && Number(at.getAttribute("data-seat")) === this.seat && this.isLive) openBets(this, this.seat);
  }

  /** Touch the cards to give up. @param {import("./offers.js").Offer} offer */
  openDraw(offer) {
    const held = /** @type {string[]} */ (this.table.seats[this.seat - 1]?.held ?? []);
    const gone = new Set();
    const row = h("div", { class: "own-cards" });
    const done = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "main", click: () => send() }));
    const sheet = openSheet(this, "draw", trial.giveUp, { head: [done], body: [row] });
    const draw = () => {
      row.replaceChildren(
        ...held.map((face, i) => {
          const isGone = gone.has(i), toggle = () => (isGone ? gone.delete(i) : gone.add(i), draw());
          const attributes = { type: "button", class: `card-key${isGone ? " on" : ""}`, "aria-pressed": String(isGone), "aria-label": cardName(face), click: toggle };
          return h("button", attributes, s("svg", { viewBox: "0 0 42 58", "aria-hidden": "true" }, card(isGone ? BACK : face, 0, 0)));
        }),
      );
      done.textContent = `${named(words.decisions, "draw")} ${gone.size}`;
    };
    const send = async () => {
      await tellBench(this.key, "keep", { seat: this.seat, cards: held.filter((_, i) => !gone.has(i)) });
      const answer = await this.send(commandOf(offer, { seat: this.seat, choice: "draw" }, { discards: gone.size }));
      if (answer?.accepted) sheet.close();
    };
    draw();
  }
}
