// @ts-check
/** What slides over the felt. One at a time; the word and the strip stay in sight. */
import { h } from "./dom.js";
import { words } from "./words.js";

/** @typedef {{close: () => void, made: HTMLElement, update?: (table: any) => void}} Sheet */

/**
 * Open a sheet in place of the one that is open.
 * @param {import("./desk.js").Desk} dealer @param {string} name @param {string} title
 * @param {{head?: import("./dom.js").Child[], body: import("./dom.js").Child[], update?: (table: any) => void}} parts
 */
export function openSheet(dealer, name, title, parts) {
  dealer.sheet?.close();
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  // What is covered is neither reached by Tab nor read out.
  const covered = /** @type {NodeListOf<HTMLElement>} */ (dealer.root.querySelectorAll(":scope > .middle, :scope > .keys, :scope > .board"));
  const close = () => {
    made.remove();
    for (const part of covered) part.inert = false;
    if (dealer.sheet === sheet) dealer.sheet = undefined;
    before?.focus?.();
  };
  const closeKey = h("button", { type: "button", class: "plain close", "aria-label": words.close, click: close }, "✕");
  const head = h("header", {}, h("h2", {}, title), ...(parts.head ?? []), closeKey);
  const made = h("section", { class: `sheet ${name}`, role: "dialog", "aria-label": title }, head, ...parts.body);
  made.addEventListener("keydown", (event) => event.key === "Escape" && close());
  for (const part of covered) part.inert = true;
  dealer.root.append(made);
  const first = /** @type {HTMLElement | null} */ (made.querySelector("button:not(.close)"));
  (first ?? closeKey).focus({ preventScroll: true });
  /** @type {Sheet} */
  const sheet = (dealer.sheet = { close, update: parts.update, made });
  return sheet;
}
