// @ts-check
/** The dealer's screen. Four bands that never move: strip, word, felt, keys. */
import { GUEST } from "./at-bench.js";
import { keysFor, openMore } from "./keys.js";
import { h, redraw } from "./dom.js";
import "./felt.js";
import { holdKey } from "./hold.js";
import { forRole, isForOthers, isOffered } from "./offers.js";
import { press } from "./press.js";
import { drawPrompt } from "./prompt.js";
import { answered, isAllSayable, statement } from "./said.js";
import { asked } from "./stream.js";
import { drawStrip } from "./strip.js";
import { named, words } from "./words.js";

const CHANGED_MS = 250;
const SAID_MS = 5000;
const MOVED_MS_MAX = 1000;
/** The button whose press nothing holds back. */
const ALWAYS = ["void"];

export class Dealer {
  /**
   * @param {import("./stream.js").Stream} stream @param {string} key the table's name @param {HTMLElement} root
   * @param {number} seat of a player whose screen this is; 0 is the dealer's
   * @param {boolean} opensMore whether somebody has logged in for what is behind the key More
   */
  constructor(stream, key, root, seat = 0, opensMore = false) {
    this.opensMore = opensMore;
    this.stream = stream;
    this.seat = seat;
    this.key = key;
    this.changedMs = -Infinity;
    this.isWaiting = false;
    /** @type {import("./sheet.js").Sheet | undefined} */
    this.sheet = undefined;
    this.strip = h("header", { class: "strip" });
    this.word = h("section", { class: "word", "aria-live": "polite" });
    this.felt = /** @type {import("./felt.js").FeltTable} */ (h("felt-table"));
    this.alerts = h("section", { class: "alerts", role: "alert" });
    this.said = h("output", { class: "said", role: "status" });
    this.veil = h("div", { class: "veil", role: "alert", hidden: true });
    this.actions = h("nav", { class: "keys", "aria-label": "keys" });
    this.left = h("div", { class: "left" });
    this.right = h("div", { class: "right" });
    this.actions.append(this.left, this.right);
    this.middle = h("section", { class: "middle" }, this.felt, this.alerts);
    this.root = h("div", { class: "dealer" }, this.strip, this.word, this.middle, this.actions, this.said, this.veil);
    root.replaceChildren(this.root);
    this.felt.addEventListener("click", (event) => this.touchSeat(event));
    this.felt.addEventListener("keydown", (event) => event.key === "Enter" && this.touchSeat(event));
    this.narrow = matchMedia("(max-width: 640px)");
    this.narrow.onchange = () => this.show();
    // A new build of the page is loaded between rounds, and not under somebody's finger.
    stream.mayReload = () => !this.sheet && ["idle", "betting"].includes(this.table?.phase) && !this.isWaiting;
    stream.addEventListener("change", () => this.show());
    stream.addEventListener("tick", () => this.showLink());
    this.show();
  }

  get told() {
    return this.stream.tables.get(this.key);
  }

  /** The table as its last state shows it, with what this user may do. */
  get table() {
    return forRole(this.told?.state?.table, this.stream.roleAt(this.key));
  }

  /** Where somebody else logs in, to come back to what they are needed for. */
  get loginPath() {
    return `#/login/${encodeURIComponent(this.key)}/more`;
  }

  /** Whether somebody has to log in first. A bench's guest deals nothing: who comes from its screen chooses who to be. */
  get isNobody() {
    return !this.stream.user || (!this.seat && this.stream.user === GUEST);
  }

  /**
   * Send a command, and say what came of it unless it was done. A press means what the key said when the finger came
   * down, so a press right after the word has changed is not sent. Nor is a second one while the first is under way, until
   * the table's new picture is here: a finger that bounces must not finish two seats. Void always goes out: what was held
   * is meant, also where the word changed meanwhile.
   * @param {import("./press.js").Command} command @param {boolean} [isHeld] @returns {Promise<import("./press.js").Answer | null>}
   */
  async send(command, isHeld = false) {
    if (!this.isLive) return null;
    if (!isHeld && performance.now() - this.changedMs < CHANGED_MS) {
      this.say(words.changed, "no");
      return null;
    }
    if (this.isNobody) {
      location.hash = `#/login/${encodeURIComponent(this.key)}`;
      return null;
    }
    if (this.isWaiting && !ALWAYS.includes(command.data.button)) return null;
    const say = this.say.bind(this);
    const answer = await this.alone(() => press(this.key, { round: this.table.round_id, ...command }, say));
    if (answer.code === "log-in") location.hash = `#/login/${encodeURIComponent(this.key)}`;
    this.stream.hearAnswer(answer);
    return answer;
  }

  /** Do this, and nothing else before its picture is here. Say what came of it unless it was done. @param {() => Promise<import("./press.js").Answer>} ask */
  async alone(ask) {
    this.isWaiting = true;
    this.root.classList.add("waiting");
    const { sequence } = this.told?.state ?? {};
    const answer = await ask();
    if (answer.accepted) await this.moved(sequence);
    this.isWaiting = false;
    this.root.classList.remove("waiting");
    if (answer.accepted !== true) this.say(await answered(answer), answer.accepted === null ? "unknown" : "no");
    return answer;
  }

  /** Wait until another picture is shown than the one of this sequence, but not without end. @param {string} sequence @returns {Promise<void>} */
  moved(sequence) {
    return new Promise((done) => {
      const timer = setTimeout(() => end(), MOVED_MS_MAX);
      const look = () => this.told?.state?.sequence !== sequence && end();
      const end = () => {
        clearTimeout(timer);
        this.stream.removeEventListener("change", look);
        done();
      };
      this.stream.addEventListener("change", look);
      look();
    });
  }

  /** @param {string} text @param {"no" | "unknown"} kind */
  say(text, kind) {
    this.said.textContent = text;
    this.said.className = text ? `said shown ${kind}` : "said";
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.said.className = "said"), SAID_MS);
  }

  /** What slides over the felt is loaded when it is first asked for. @param {Event} event */
  async touchSeat(event) {
    const at = /** @type {Element} */ (event.target).closest("[data-seat]");
    if (at && this.isLive) (await import("./bets.js")).openBets(this, Number(at.getAttribute("data-seat")));
  }

  show() {
    const told = this.told;
    if (!told?.state) {
      this.word.textContent = words.noTable;
      this.showLink();
      return;
    }
    const table = this.table, ask = asked(told, this.stream.roleAt(this.key));
    this.root.dataset.phase = table.phase;
    this.felt.show(table, ask, this.narrow.matches);
    const { game, round_number, phase, deck, devices, opened } = table, user = this.stream.user;
    const strip = [game, round_number, phase, deck, devices, opened, user];
    redraw(this.strip, strip, () => drawStrip(this.key, table, user));
    const isFirst = !this.word.querySelector("p");
    if (redraw(this.word, ask, () => drawPrompt(ask)) && !isFirst) this.changedMs = performance.now();
    redraw(this.alerts, [table.alerts, table.may, table.others, isAllSayable()], () => this.drawAlerts(table));
    const keys = this.keys(table, ask);
    const { isVisit, waits } = this.stream;
    if (isVisit) keys.left.push({ label: waits ? words.backTo(waits) : words.logOut, kind: "plain", open: () => this.stream.giveBack() });
    redraw(this.left, keys.left, () => keys.left.map((key) => this.drawKey(key)));
    // What a key opens is not in its print, but it follows from what is offered.
    redraw(this.right, [keys.right, table.may, table.others, ask.seat], () => keys.right.map((key) => this.drawKey(key)));
    document.title = `${this.key} · ${named(words.phases, table.phase)}`;
    this.sheet?.update?.(table);
    if (this.opensMore) this.openMore();
    this.showLink();
  }

  /** Go on with what somebody has logged in for. */
  openMore() {
    this.opensMore = false;
    history.replaceState(null, "", `#/dealer/${encodeURIComponent(this.key)}`);
    openMore(this);
  }

  /** What can be pressed now. @param {any} table @param {{seat: number | null}} ask */
  keys(table, ask) {
    return keysFor(this, table, ask);
  }

  /** @param {import("./keys.js").Key} key */
  drawKey(key) {
    if (key.kind === "nothing") return h("span", { class: "nothing" }, key.label);
    const act = () => (key.open ? key.open() : key.command && this.send(key.command));
    if (key.kind === "void") return holdKey(key.label, key.kind, () => this.asOfNow(key));
    return h("button", { type: "button", class: key.kind, click: act }, key.label, key.small ? h("small", {}, key.small) : null);
  }

  /** What a held key will do: it means the round in which the finger came down. @param {import("./keys.js").Key} key @returns {() => void} */
  asOfNow({ command }) {
    const round = this.table.round_id;
    return () => command && this.send({ round, ...command }, true);
  }

  /** One alert, the worst: more would cover what lies on the felt. A key opens all of them, with what to do. @param {any} table */
  drawAlerts(table) {
    const alert = table.alerts.find((/** @type {any} */ one) => one.blocks_play) ?? table.alerts[0];
    if (!alert) return [];
    const count = table.alerts.length, clear = () => this.send({ name: "clear-alert", data: { alert: alert.alert, since_ms: alert.since_ms }, round: null });
    const who = h("small", {}, words.roles(alert.cleared_by));
    const isOwn = isOffered(table, "clear-alert", alert.alert), isOthers = isForOthers(table, "clear-alert", alert.alert);
    const key = isOwn
      ? h("button", { type: "button", click: clear }, words.commands["clear-alert"], who)
      : isOthers
        ? h("a", { href: `#/login/${encodeURIComponent(this.key)}/now` }, words.logIn, who)
        : h("small", {}, words.clears(words.roles(alert.cleared_by)));
    const open = async () => (await import("./alerts.js")).openAlerts(this);
    const all = h("button", { type: "button", class: "all", click: open }, words.allAlerts(count));
    const kinds = [alert.blocks_play && "blocks", count > 1 && "several"].filter(Boolean).join(" ");
    return [h("article", { class: kinds }, h("b", {}, statement(alert.message, alert.said)), h("p", {}, statement(alert.remedy, alert.remedy_said)), key, all)];
  }

  /** Whether what is shown is the table as it is now. */
  get isLive() {
    return this.stream.isLive && this.told?.status?.status === "running";
  }

  showLink() {
    const status = this.told?.status?.status, isLive = this.isLive;
    const link = this.strip.querySelector(".link");
    if (link) {
      link.textContent = isLive ? words.live : words.notLive;
      link.classList.toggle("off", !isLive);
    }
    const dims = this.strip.querySelector(".dims"), { wake } = /** @type {any} */ (globalThis).page ?? {};
    if (dims) dims.textContent = wake && !wake.released ? "" : words.wakeLock;
    this.root.classList.toggle("stale", !isLive);
    this.veil.hidden = isLive || !this.told;
    if (!this.stream.isLive) this.veil.textContent = words.stale(Math.round(this.stream.silentS));
    else if (!isLive) this.veil.textContent = status === "stopped" ? words.stopped : words.gone;
    for (const key of this.root.querySelectorAll(".keys button, .sheet button, .alerts button")) {
      key.toggleAttribute("inert", !isLive);
    }
  }
}
