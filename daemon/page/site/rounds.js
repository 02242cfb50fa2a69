// @ts-check
/** The rounds of a table: a list, one of them as a line of time, and the table as it was at any step of it. */
import { h, redraw } from "./dom.js";
import "./felt.js";
import { tableAfter } from "./replay.js";
import { allSayable, inWords, promptOf, sayable } from "./said.js";
import { drawTimeline, laneOf } from "./timeline.js";
import { story } from "./story.js";
import { capital, money, named, words } from "./words.js";

/** With so many events the printed line of time needs another column, and smaller letters. */
const COLUMNS = [45, 100];
const AGAIN_MS = 500;
/** Swedes write dates as the standard has them: no court has to guess which number is the month. */
const ISO_8601 = "sv-SE";

export class Rounds {
  /** @param {import("./stream.js").Stream} stream @param {HTMLElement} root @param {string} key @param {string} [round] @param {string} [sequence] */
  constructor(stream, root, key, round, sequence) {
    this.stream = stream;
    this.key = key;
    this.isAsked = Boolean(round);
    this.path = `/tables/${encodeURIComponent(key)}/rounds`;
    /** @type {any[]} */
    this.events = [];
    /** @type {Map<string, any>} the journal's own pictures, by record */
    this.pictures = new Map();
    this.list = h("nav", { "aria-label": words.rounds });
    this.strip = h("header", { class: "strip" });
    this.felt = /** @type {import("./felt.js").FeltTable} */ (h("felt-table"));
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    this.facts = h("dl", { class: "facts" });
    const move = (/** @type {number} */ by) => () => this.choose(this.at + by);
    const keys = h(
      "div",
      { class: "steps-keys" },
      h("button", { type: "button", class: "plain", "aria-label": story.stepBack, click: move(-1) }, "◀"),
      this.caption,
      h("button", { type: "button", class: "plain", "aria-label": story.stepOn, click: move(1) }, "▶"),
    );
    this.scene = h("section", { class: "scene", "aria-label": story.atThisStep, hidden: true }, this.facts, h("div", { class: "middle", inert: true }, this.felt), keys);
    this.line = h("div", { class: "line" });
    this.root = h("div", { class: "rounds" }, this.strip, this.list, h("main", {}, this.scene, this.line));
    root.replaceChildren(this.root);
    this.at = -1;
    this.drawStrip(); // who came here in error need not wait for the list
    stream.addEventListener("change", () => this.hear());
    this.load(round, sequence);
  }

  /** @param {string} [wanted] @param {string} [sequence] */
  async load(wanted, sequence) {
    const list = await read(this.path);
    const round = wanted || list?.[0]?.round;
    this.round = round;
    this.drawStrip();
    document.title = round ? `${this.key} · ${round}` : `${this.key} · ${words.rounds}`;
    if (!list) return this.line.replaceChildren(h("p", {}, story.serverGone));
    this.list.replaceChildren(...list.map((/** @type {any} */ one) => drawRow(this.key, one, round)));
    const summary = list.find((/** @type {any} */ one) => one.round === round);
    if (this.isOver && this.shown === round) return; // it can no longer change
    this.events = (round && summary && (await read(`${this.path}/${encodeURIComponent(round)}`))) || [];
    if (!this.events.length) return this.line.replaceChildren(h("p", {}, round ? story.notKept(round) : story.noRounds));
    // Faults and oddities of devices are named by words that are seldom said.
    await (this.events.some(({ type }) => laneOf(type) === "trouble") ? allSayable() : sayable(this.events));
    this.shown = round;
    this.isOver = summary.end !== null;
    this.drawFacts(summary);
    const hadFocus = this.line.contains(document.activeElement);
    this.timeline = drawTimeline(this.events, (place) => this.choose(place));
    this.root.dataset.columns = String(1 + COLUMNS.filter((most) => this.events.length > most).length);
    this.line.replaceChildren(this.timeline.made);
    this.scene.hidden = false;
    const place = this.events.findIndex((event) => Number(event.sequence) === Number(sequence));
    this.isPinned = place >= 0;
    this.choose(place < 0 ? this.bestStep() : place, place >= 0);
    // A person who goes through a round by keys stays where they are while it grows.
    if (hadFocus) /** @type {HTMLElement | null} */ (this.line.querySelector("[aria-current]"))?.focus();
    if (summary.end) await this.takePictures();
  }

  /** The step that shows most: the last one before the round was over. */
  bestStep() {
    const end = this.events.findIndex((event) => event.type === "round-settled" || event.type === "round-voided");
    const held = this.events.findIndex((event) => event.type === "round-held" || event.type === "round-interrupted");
    if (held >= 0) return held;
    // The record that ends the round has the next one in its picture already.
    const last = end < 0 ? this.events.length : this.events.findIndex((event) => recordOf(event) === recordOf(this.events[end]));
    return Math.max(0, last - 1);
  }

  /** Where the journal is beside the page, the table is drawn as it was, and not from events. */
  async takePictures() {
    const steps = await read(`${this.path}/${encodeURIComponent(this.round)}/steps`);
    for (const step of steps ?? []) this.pictures.set(String(step.record), step.table);
    if (steps) this.choose(this.at, false);
  }

  /** Show the table after one event. @param {number} place @param {boolean} [isChosen] whether its link is put into the address */
  choose(place, isChosen = true) {
    this.at = Math.min(Math.max(0, place), this.events.length - 1);
    const event = this.events[this.at], { table, ask, isExact } = this.tableAt(this.at);
    this.felt.show(table, ask);
    this.caption.replaceChildren(
      h("b", {}, story.step(this.at + 1, this.events.length)),
      ` ${promptOf(table, ask.steps)} `,
      h("small", {}, isExact ? story.fromJournal : story.fromEvents),
    );
    this.timeline?.mark(this.at);
    this.isPinned ||= isChosen;
    if (isChosen) history.replaceState(null, "", this.link(Number(event.sequence)));
  }

  /** The table plays on: the list grows, and so does a round that is not over. */
  hear() {
    this.drawStrip();
    // From events alone, seats and spots are those of the table as it is now.
    const isLaid = this.felt.last?.[0].spots.length > 0;
    if (!isLaid && this.at >= 0) this.choose(this.at, false);
    const newest = this.stream.tables.get(this.key)?.recent.at(-1)?.id;
    if (newest === this.newest) return;
    this.newest = newest;
    clearTimeout(this.due);
    this.due = setTimeout(() => {
      if (this.stream.over.signal.aborted) return;
      const event = this.isPinned || this.isOver ? this.events[this.at] : undefined;
      // A round that a link asks for can be one that the server has not heard of yet.
      this.load(this.isAsked || this.isPinned || this.events.length ? this.round : undefined, event?.sequence);
    }, AGAIN_MS);
  }

  /** @param {number} place @returns {{table: any, ask: import("./replay.js").Ask, isExact: boolean}} */
  tableAt(place) {
    let exact = this.pictures.get(recordOf(this.events[place]));
    // What ends a round opens the next one: the last picture of this round is the one before.
    for (let i = place; exact && exact.round_id !== this.round && i >= 0; i--) exact = this.pictures.get(recordOf(this.events[i]));
    if (exact) return { table: exact, ask: { seat: exact.ask?.seat ?? null, steps: exact.ask?.steps ?? [] }, isExact: true };
    return { ...tableAfter(this.events, place, this.stream.tables.get(this.key)?.state?.table), isExact: false };
  }

  /** @param {number} sequence */
  link(sequence) {
    return `#/rounds/${encodeURIComponent(this.key)}/${encodeURIComponent(this.round)}/${sequence}`;
  }

  drawStrip() {
    const share = h("button", { type: "button", class: "plain", click: () => this.share(share) }, story.share);
    const key = encodeURIComponent(this.key);
    redraw(this.strip, [this.round, this.stream.benches.has(this.key)], () => [
      h("a", { href: "#/pit" }, `‹ ${words.pit}`),
      h("a", { class: "home", href: `#/dealer/${key}` }, this.key),
      this.stream.benches.has(this.key) ? h("a", { href: `#/bench/${key}` }, words.bench.title) : null,
      h("b", {}, this.round ?? words.rounds),
      h("span", { class: "gap" }),
      ...(this.round ? [share, h("button", { type: "button", class: "plain", click: () => print() }, story.print)] : []),
    ]);
  }

  /** Copy the link to this step. Over plain HTTP a browser lets nobody copy: then the address bar has it. @param {HTMLElement} key */
  async share(key) {
    const event = this.events[this.at];
    if (event) history.replaceState(null, "", this.link(Number(event.sequence)));
    const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    key.textContent = isCopied ? story.copied : story.linkIsAbove;
  }

  /** What a person in a dispute asks first. It is also the head of the printed page. @param {any} summary */
  drawFacts(summary) {
    const first = this.events[0], last = this.events.at(-1), { data } = summary;
    const rows = [
      [story.tableAndRound, `${first.source?.replace("felt/v1/", "") ?? this.key}, ${this.round}, ${named(words.games, first.data.game ?? "")}`],
      [story.opened, moment(first.time)],
      [story.ended, summary.end ? moment(last.time) : capital(story.running)],
      [story.cameTo, capital(cameTo(summary))],
      ...(data?.reason ? [[words.reason, capital(inWords(data).reason)]] : []),
      ...(summary.troubles.length ? [[story.troubles, capital(troublesOf(summary))]] : []),
      [story.record, `${first.id} – ${last.id}`],
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));
  }
}

/** @param {string} path @returns {Promise<any>} the document, or null */
async function read(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.status === 200 ? answer.json() : null;
}

/** The record of an event: the middle of its id. @param {any} event @returns {string} */
const recordOf = (event) => String(event.id).split(":")[1];

/** A moment for a court: the place's own time, and the world's unless they are the same. @param {string} time */
function moment(time) {
  const own = new Date(time).toLocaleString(ISO_8601), utc = time.slice(0, 19).replace("T", " ");
  return own === utc ? `${utc} UTC` : `${own} (${utc} UTC)`;
}

/** @param {any} one @returns {string} */
function cameTo(one) {
  if (one.end === "round-settled") return words.settled(money(one.data.take_cents));
  return one.end ? words.voided : story.running;
}

/** @param {any} one */
const troublesOf = (one) => [...new Set(one.troubles)].map((type) => named(story.troubleNames, String(type))).join(", ");

/** @param {string} key @param {any} one @param {string} chosen */
function drawRow(key, one, chosen) {
  const classes = [one.round === chosen && "on", one.troubles.length && "bad"].filter(Boolean).join(" ");
  const href = `#/rounds/${encodeURIComponent(key)}/${encodeURIComponent(one.round)}`;
  const attributes = { href, class: classes, "aria-current": one.round === chosen ? "page" : null };
  const trouble = one.troubles.length ? h("small", {}, capital(troublesOf(one))) : null;
  const at = new Date(one.began).toTimeString().slice(0, 8);
  return h("a", attributes, h("b", {}, one.round), h("time", {}, at), h("span", {}, capital(cameTo(one))), trouble);
}
