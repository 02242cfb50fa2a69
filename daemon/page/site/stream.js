// @ts-check
/**
 * The one stream of a page, and what it says of each table. What is shown is live only while beats come. A page that
 * cannot know says so.
 */
import { logOut } from "./press.js";
import { promptOf } from "./said.js";
import { words } from "./words.js";

const BEATS_MISSED_MAX = 2.5;
const RECENT_MAX = 60;
const AGAIN_MS = 2000;
const STAFF = ["dealer", "supervisor", "technician"];
const MAY_NOT = ["not-known", "not-permitted"];

/**
 * What is known of one table. `state` and `status` are the table's documents, or null before they come.
 * @typedef {{table: string, status: any, state: any, recent: any[]}} Told
 */

/** Tells "change" when something is to be drawn, at most once a frame, and "tick" every second. */
export class Stream extends EventTarget {
  /** @param {string[]} wanted the tables, or none for all of the site */
  constructor(wanted) {
    super();
    /** @type {Map<string, Told>} */
    this.tables = new Map();
    /** What a bench shows of itself, by table. @type {Map<string, Record<string, any>>} */
    this.benches = new Map();
    this.user = "";
    /** Who was logged in here before somebody logged in for a ruling, and is again when that is done. */
    this.waits = "";
    /** Whether the user logged in for a moment: the server ends that by itself, soon after what they came for. */
    this.isVisit = false;
    /** What the site's file says of the user, or null if nobody here knows. @type {{role: string | null, tables: string[]} | null} */
    this.person = null;
    /** @type {string[]} */
    this.trialUsers = [];
    this.build = "";
    /** Whether another build of the page is served by now. */
    this.isOld = false;
    /** Whether nobody is disturbed if the page loads itself anew. A screen on which people work says when. */
    this.mayReload = () => true;
    this.beatS = 2;
    this.heardMs = 0;
    this.startedMs = performance.now();
    this.brokerIsThere = true;
    this.isCut = false;
    this.wanted = wanted;
    /** @type {AbortController} */
    this.over = new AbortController();
    this.ticking = setInterval(() => this.dispatchEvent(new Event("tick")), 1000);
    const options = { signal: this.over.signal };
    // A hidden page has no stream: a browser gives few connections to one server.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.source?.close() : this.open()), options);
    addEventListener("pageshow", (event) => event.persisted && this.open(), options);
    this.open();
  }

  /** End the stream for good. */
  close() {
    this.over.abort();
    clearInterval(this.ticking);
    clearTimeout(this.again);
    clearTimeout(this.visit);
    this.source?.close();
  }

  /**
   * As what the user works at a table; "" if nobody here knows. A person who is not logged in, looks or plays is shown what a
   * dealer may do: the first press asks for a login.
   * @param {string} key
   */
  roleAt(key) {
    if (!this.person) return "";
    const { role, tables } = this.person, isHere = tables.includes("*") || tables.includes(key);
    return role && isHere && STAFF.includes(role) ? role : "dealer";
  }

  /**
   * Ask the server who is here, and what they may do now: somebody has changed the site's file of people, or the
   * person who came for a moment has done what they came for.
   * @param {import("./press.js").Answer} answer
   */
  hearAnswer(answer) {
    if (MAY_NOT.includes(answer.code) || (answer.accepted && this.isVisit)) this.open();
  }

  /** Give the screen back to the person who waits, if anybody does. */
  async giveBack() {
    if (!this.isVisit) return;
    await logOut(true);
    this.open();
  }

  get silentS() {
    return (performance.now() - (this.heardMs || this.startedMs)) / 1000;
  }

  get isLive() {
    const isHeard = this.heardMs > 0 && !this.isCut && this.silentS < this.beatS * BEATS_MISSED_MAX;
    return isHeard && this.brokerIsThere;
  }

  open() {
    this.source?.close();
    clearTimeout(this.again);
    const source = (this.source = new EventSource(`/stream?tables=${this.wanted.map(encodeURIComponent).join(",")}`));
    /** @param {string} kind @param {(data: any) => void} take */
    const on = (kind, take) =>
      source.addEventListener(kind, (message) => {
        this.heardMs = performance.now();
        this.isCut = false;
        take(JSON.parse(message.data));
        this.say();
      });
    on("hello", (data) => this.takeHello(data));
    on("table", (data) => this.tables.set(data.table, data));
    on("state", (data) => {
      this.told(data.table).state = data.state;
      this.dispatchEvent(new Event("state"));
    });
    on("status", (data) => (this.told(data.table).status = data.status));
    on("event", (data) => takeEvent(this.told(data.table), data.event));
    on("bench", (data) => (data.bench ? this.benches.set(data.table, data.bench) : this.benches.delete(data.table)));
    on("link", (data) => (this.brokerIsThere = data?.broker ?? false));
    source.addEventListener("error", () => {
      this.isCut = true;
      this.say();
      if (source.readyState === EventSource.CLOSED) this.again = setTimeout(() => this.open(), AGAIN_MS);
    });
  }

  /** @param {any} hello */
  takeHello(hello) {
    this.isOld ||= this.build !== "" && this.build !== hello.build;
    this.build = hello.build;
    this.user = hello.user ?? "";
    this.waits = hello.waits ?? "";
    clearTimeout(this.visit);
    this.isVisit = hello.visit_s > 0;
    if (this.isVisit) this.visit = setTimeout(() => this.open(), hello.visit_s * 1000 + AGAIN_MS); // then the server says who is here
    this.person = hello.person ?? null;
    this.trialUsers = hello.trial_users;
    this.benches = new Map(Object.entries(hello.bench ?? {}));
    this.beatS = hello.beat_s;
  }

  /** @param {string} table @returns {Told} */
  told(table) {
    let told = this.tables.get(table);
    if (!told) this.tables.set(table, (told = { table, status: null, state: null, recent: [] }));
    return told;
  }

  say() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      if (this.over.signal.aborted) return;
      if (this.isOld && this.mayReload()) location.reload();
      this.dispatchEvent(new Event("change"));
    });
  }
}

/** @param {Told} told @param {any} event */
function takeEvent(told, event) {
  told.recent.push(event);
  if (told.recent.length > RECENT_MAX) told.recent.shift();
}

/**
 * What the dealer is asked now: the sentence, the seat and the steps of the hands.
 * A sentence that has a supervisor called is said to a supervisor as what they do.
 * @param {Told} told @param {string} [role] of who looks @returns {{sentence: string, seat: number | null, steps: any[]}}
 */
export function asked(told, role = "") {
  const { table } = told.state, ask = table.ask;
  const sentence = promptOf(table), own = role === "supervisor" ? words.toSupervisor[table.prompt_said?.[0]?.id] : null;
  return { sentence: own ? sentence.replace(/^[^:]*: /, own) : sentence, seat: ask?.seat ?? null, steps: ask?.steps ?? [] };
}
