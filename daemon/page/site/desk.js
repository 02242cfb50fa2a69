// @ts-check
/** What the sheets need of the screen over which they slide, and such a screen for one table of the pit. */
import { h } from "./dom.js";
import { forRole } from "./offers.js";
import { press } from "./press.js";
import { answered } from "./said.js";
import { words } from "./words.js";

const SAID_MS = 6000;

/**
 * Where somebody works at one table: the dealer's screen, or a table on the pit's board.
 * @typedef {{
 *   key: string,
 *   readonly table: any,
 *   readonly loginPath: string,
 *   readonly stream?: import("./stream.js").Stream,
 *   root: HTMLElement,
 *   sheet: import("./sheet.js").Sheet | undefined,
 *   reason?: string,
 *   send: (command: import("./press.js").Command, isHeld?: boolean) => Promise<import("./press.js").Answer | null>,
 *   say: (text: string, kind: "no" | "unknown") => void,
 * }} Desk
 */

/** Where somebody else logs in. @param {Desk} desk @param {string} who */
export const logInLink = (desk, who) => h("a", { class: "log-in", href: desk.loginPath }, words.logIn, h("small", {}, who));

/** What the server says of the last press, in the pit. It is also read out. */
export class Said {
  constructor() {
    this.made = h("output", { class: "said", role: "status" });
  }

  /** @param {string} text @param {"no" | "unknown"} kind */
  say(text, kind) {
    this.made.textContent = text;
    this.made.className = text ? `said shown ${kind}` : "said";
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.made.className = "said"), SAID_MS);
  }
}

/** A table of the pit's board, to work at. */
export class PitDesk {
  /** @param {import("./pit.js").Pit} pit @param {string} key the table's name */
  constructor(pit, key) {
    this.pit = pit;
    this.key = key;
    this.root = pit.root;
    /** @type {import("./sheet.js").Sheet | undefined} */
    this.sheet = undefined;
  }

  get told() {
    return this.pit.stream.tables.get(this.key);
  }

  get table() {
    return forRole(this.told?.state?.table, this.pit.stream.roleAt(this.key));
  }

  get loginPath() {
    return `#/login/${encodeURIComponent(this.key)}/pit`;
  }

  /** @param {string} text @param {"no" | "unknown"} kind */
  say(text, kind) {
    this.pit.said.say(text, kind);
  }

  /**
   * Send a command in the user's name, and say what came of it unless it was done.
   * @param {import("./press.js").Command} command @returns {Promise<import("./press.js").Answer | null>}
   */
  async send(command) {
    const { stream } = this.pit;
    if (!stream.isLive || this.told?.status?.status !== "running") {
      this.say(words.notSent, "no");
      return null;
    }
    if (!stream.user) {
      location.hash = "#/login";
      return null;
    }
    const answer = await press(this.key, { round: this.table.round_id, ...command }, this.say.bind(this));
    if (answer.accepted !== true) this.say(await answered(answer), answer.accepted === null ? "unknown" : "no");
    if (answer.code === "log-in") location.hash = "#/login";
    stream.hearAnswer(answer);
    return answer;
  }
}
