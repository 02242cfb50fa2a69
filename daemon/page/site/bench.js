// @ts-check
/** A bench: the fronts of its emulated devices, faults to switch on, its speed, its next deck, and a seat for you. */
import { BACK, RANK_ORDER, SUIT_ORDER, card, cardName } from "./cards.js";
import { h, redraw, s } from "./dom.js";
import { GUEST, logInAs } from "./at-bench.js";
import { lyingAt, restAt } from "./lying.js";
import { tellBench } from "./press.js";
import { drawPrompt } from "./prompt.js";
import { asked } from "./stream.js";
import { answered } from "./said.js";
import { beDealer } from "./take-over.js";
import { trial } from "./trial.js";
import { capital, named, words } from "./words.js";

const SPEEDS = [0.25, 0.5, 1, 2, 5, 10];
const TRAY_MAX = 7;

export class Bench {
  /** @param {import("./stream.js").Stream} stream @param {string} key @param {HTMLElement} root */
  constructor(stream, key, root) {
    this.stream = stream;
    this.key = key;
    /** @type {string[]} */
    this.deck = [];
    this.strip = h("header", { class: "strip" });
    this.word = h("section", { class: "word", "aria-live": "polite" });
    this.fronts = h("section", { class: "fronts", "aria-label": trial.devices });
    this.felt = h("section", { class: "on-felt", "aria-label": trial.onFelt });
    this.join = h("nav", { class: "join", "aria-label": trial.takePart });
    this.room = h("section", { class: "room" });
    this.faults = h("section", { class: "faults" });
    this.next = h("section", { class: "next-deck" });
    this.said = h("output", { class: "said", role: "status" });
    const aside = h("aside", {}, this.room, this.faults, this.next);
    root.replaceChildren(h("div", { class: "bench" }, this.strip, this.join, this.word, h("div", { class: "left" }, this.fronts, this.felt), aside, this.said));
    document.title = `${words.bench.title} · ${key}`;
    stream.addEventListener("change", () => this.show());
    stream.addEventListener("tick", () => this.show());
    this.show();
  }

  /** What the bench shows: by topic, without the table before it. @returns {Record<string, any>} */
  get shown() {
    return this.stream.benches.get(this.key) ?? {};
  }

  /** @returns {[string, any][]} */
  get devices() {
    return Object.entries(this.shown)
      .filter(([what]) => what.startsWith("device/"))
      .map(([what, front]) => [what.slice("device/".length), front]);
  }

  /** Say a word to the bench. A person who has not logged in is its guest. @param {string} word @param {Record<string, any>} data */
  async tell(word, data) {
    if (!this.stream.user && !(await logInAs(this.stream, GUEST))) return;
    const answer = await tellBench(this.key, word, data);
    this.said.textContent = answer.accepted ? "" : await answered(answer);
    this.said.className = answer.accepted ? "said" : "said shown no";
  }

  /** Take the dealer's place: the felt is on the dealer's screen. */
  async deal() {
    await beDealer(this.stream, this.key);
    location.hash = `#/dealer/${encodeURIComponent(this.key)}`;
  }

  show() {
    const { stream } = this, told = stream.tables.get(this.key), table = told?.state?.table, room = this.shown.room;
    redraw(this.strip, [stream.user, stream.isLive, table?.round_number, table?.game], () => [
      h("b", {}, words.bench.title),
      h("a", { href: `#/dealer/${encodeURIComponent(this.key)}` }, trial.dealer),
      h("a", { href: "#/pit" }, words.pit),
      h("a", { href: `#/rounds/${encodeURIComponent(this.key)}` }, words.rounds),
      h("a", { href: `#/login/${encodeURIComponent(this.key)}` }, stream.user || words.notLoggedIn),
      h("span", { class: "gap" }),
      table ? h("span", {}, named(words.games, table.game)) : null,
      table ? h("span", {}, words.round(table.round_number)) : null,
      h("span", { class: `link ${stream.isLive ? "" : "off"}` }, stream.isLive ? words.live : words.notLive),
    ]);
    if (told?.state) redraw(this.word, asked(told), () => drawPrompt(asked(told)));
    const devices = this.devices;
    redraw(this.fronts, [devices, trial.none], () =>
      devices.length ? devices.map(([name, front]) => this.drawFront(name, front)) : [h("p", {}, trial.none)],
    );
    redraw(this.felt, [this.shown.felt], () => this.drawFelt());
    redraw(this.faults, devices.map(([name, front]) => [name, front.faults]), () => devices.flatMap(([name, front]) => this.drawFaults(name, front)));
    redraw(this.join, [room?.guests, room?.arriving, table?.seats.length], () => (room && table ? this.drawJoin(room, table.seats.length) : []));
    redraw(this.room, [room?.speed, room?.is_paused], () => (room ? this.drawRoom(room) : []));
    const dealing = devices.find(([name]) => name === "shuffler" || name === "shoe")?.[0];
    redraw(this.next, [dealing, this.deck], () => (dealing ? this.drawNextDeck(dealing) : []));
  }

  /** @param {string} name @param {any} front */
  drawFront(name, front) {
    const lamps = Object.entries(front.lamps).map(([lamp, isOn]) =>
      h("span", { class: `lamp of-${lamp}${isOn ? " on" : ""}`, role: "img", "aria-label": trial.lamp(trial.lamps[lamp] ?? lamp, isOn) }, h("i"), capital(trial.lamps[lamp] ?? lamp)),
    );
    const backs = Array.from({ length: Math.min(front.tray ?? 0, TRAY_MAX) }, (_, i) => card(BACK, 6 + i * 18, 6));
    const tray = front.tray === null ? null : h(
      "figure",
      { class: "tray-of" },
      s("svg", { viewBox: "0 0 164 70", role: "img", "aria-label": trial.inTray(front.tray) }, ...backs),
      h("figcaption", {}, capital(trial.inTray(front.tray))),
    );
    const keys = front.keys.map((/** @type {string} */ key) =>
      h("button", { type: "button", class: `device-key ${key}`, click: () => this.tell("press", { device: name, rest: key }) }, named(words.buttons, key)),
    );
    const hands = (name === "shoe" ? ["draw", "back", "cancel"] : front.tray === null ? [] : ["take", "clear", "open", "close"]).concat("unplug", "replug", "reboot");
    return h(
      "article",
      { class: "front", "data-device": name },
      h("header", {}, h("h2", {}, front.model), h("small", {}, front.serial), h("div", { class: "lamps" }, ...lamps)),
      h("div", { class: "face" }, h("pre", { class: "display", "aria-label": trial.display }, front.display.join("\n")), tray),
      h("div", { class: "device-keys" }, ...keys),
      h("div", { class: "hands" }, ...hands.map((word) => h("button", { type: "button", class: "plain", click: () => this.tell(word, { device: name }) }, words.bench.hands[word] ?? word))),
      h("p", { class: "facts" }, front.said.startsWith("error") ? front.said.slice("error ".length) : ""),
    );
  }

  /** What somebody who stands before this table would see. A machine that reads no faces leaves it to them to enter it. */
  drawFelt() {
    const places = Object.keys(this.shown.felt?.places ?? {}).map(Number);
    const order = places.sort((a, b) => Number(a < 1) - Number(b < 1) || a - b);
    const rows = order.map((place) => h("div", {}, h("h3", {}, words.seat(place)), lyingAt(this.stream, this.key, place)));
    return [h("h2", {}, trial.onFelt), h("p", {}, trial[rows.length ? "onFeltHow" : "feltEmpty"]), h("div", { class: "places-of" }, ...rows), restAt(this.stream, this.key)];
  }

  /** @param {string} name @param {any} front */
  drawFaults(name, front) {
    const switches = front.faults.map((/** @type {{name: string, on: boolean}} */ fault) => {
      const turn = () => this.tell("fault", { device: name, rest: `${fault.name} ${fault.on ? "off" : "next"}` });
      return h("button", { type: "button", class: `plain${fault.on ? " on" : ""}`, role: "switch", "aria-checked": String(fault.on), click: turn }, named(trial.faults, fault.name));
    });
    return [h("h2", {}, trial.faultsOf(name)), h("div", { class: "switches" }, ...switches)];
  }

  /** By these keys one takes part. They stand where nothing above them comes and goes. @param {any} room @param {number} seats */
  drawJoin(room, seats) {
    const places = Array.from({ length: seats }, (_, i) => i + 1).map((seat) =>
      h("a", { class: `plain${[...room.guests, ...room.arriving].includes(seat) ? " on" : ""}`, href: `#/play/${encodeURIComponent(this.key)}/${seat}` }, String(seat)),
    );
    return [
      h("button", { type: "button", class: "main", click: () => this.deal() }, trial.beDealer),
      h("span", { class: "sit", role: "group", "aria-label": trial.sit }, h("span", {}, trial.sit), ...places),
    ];
  }

  /** @param {any} room */
  drawRoom(room) {
    const speeds = SPEEDS.map((speed) =>
      h("button", { type: "button", class: `plain${room.speed === speed ? (room.is_paused ? " next" : " on") : ""}`, "aria-pressed": String(room.speed === speed), click: () => this.tell("speed", { speed }) }, `${speed}×`),
    );
    const pause = h("button", { type: "button", class: `plain${room.is_paused ? " on" : ""}`, role: "switch", "aria-checked": String(room.is_paused), click: () => this.tell("pause", {}) }, trial.pause);
    return [
      h("h2", {}, trial.speed),
      h("div", { class: "speeds" }, pause, ...speeds),
      // Both keep their room, so that no key below moves when the other one is said.
      h("div", { class: "how" }, h("p", { class: room.is_paused ? "unsaid" : "" }, trial.dealHow), h("p", { class: room.is_paused ? "" : "unsaid" }, trial.paused)),
    ];
  }

  /** @param {string} device */
  drawNextDeck(device) {
    const put = async () => {
      await this.tell("next", { device, rest: `${this.deck.join(" ")} ...` });
      this.deck = [];
      this.show();
    };
    const touch = (/** @type {string} */ face) => {
      this.deck = this.deck.includes(face) ? this.deck.filter((one) => one !== face) : [...this.deck, face];
      this.show();
    };
    const grid = [...SUIT_ORDER].flatMap((suit) => [...RANK_ORDER].map((rank) => rank + suit)).map((face) => {
      const place = this.deck.indexOf(face), attributes = { type: "button", class: `card-key${place < 0 ? "" : " on"}`, "aria-label": cardName(face), "aria-pressed": String(place >= 0) };
      return h("button", { ...attributes, click: () => touch(face) }, s("svg", { viewBox: "0 0 42 58", "aria-hidden": "true" }, card(face, 0, 0)), place < 0 ? null : h("small", {}, String(place + 1)));
    });
    return [
      h("h2", {}, trial.nextDeck),
      h("p", {}, trial.nextDeckHow),
      h("div", { class: "grid" }, ...grid),
      h("div", { class: "speeds" },
        h("button", { type: "button", class: "plain", click: () => ((this.deck = []), this.show()) }, words.takeBack),
        h("button", { type: "button", class: "main", disabled: !this.deck.length, click: put }, trial.putNext),
      ),
    ];
  }
}
