// @ts-check
/**
 * A screen that nobody has touched for long, before a table at which nothing happens, goes dark. The first touch only
 * wakes it: nobody sees in the dark which key is under the finger.
 */
import { h } from "./dom.js";

const DARK_AFTER_MS = 10 * 60_000;

/** Put the cover over a page, and take it away again. Its methods are for tests, too. */
export class Dark {
  constructor() {
    this.cover = h("div", { class: "dark", hidden: true, "aria-hidden": "true" });
    document.body.append(this.cover);
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, (event) => this.touch(event), { capture: true });
    // What follows a touch that woke the page belongs to it.
    for (const kind of ["pointerup", "click", "keyup"]) addEventListener(kind, (event) => this.swallow(event), { capture: true });
    this.isWaking = false;
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.darken(), DARK_AFTER_MS);
  }

  darken() {
    this.cover.hidden = false;
  }

  /** Something happened at the table: everybody should see it. */
  wake() {
    this.cover.hidden = true;
    this.wait();
  }

  /** @param {Event} event */
  touch(event) {
    this.isWaking = !this.cover.hidden;
    this.wake();
    this.swallow(event);
  }

  /** @param {Event} event */
  swallow(event) {
    if (!this.isWaking) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (event.type === "click" || event.type === "keyup") this.isWaking = false;
  }
}
