// @ts-check
/** A number within bounds: a stake with more or less of it, or a count typed on keys as on a telephone. */
import { h } from "./dom.js";
import { openSheet } from "./sheet.js";
import { words } from "./words.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "⌫"];

/**
 * @param {import("./desk.js").Desk} dealer @param {string} title @param {import("./offers.js").Bounds} bounds
 * @param {(number: number) => string} spell
 * @param {(number: number) => Promise<import("./press.js").Answer | null>} send
 * @param {boolean} [isRest] is it what is left of the deck, which a bench shows
 */
export function openNumber(dealer, title, bounds, spell, send, isRest = false) {
  const most = Math.max(bounds.most ?? Infinity, bounds.most_with_pair ?? -Infinity);
  const isMoney = spell(100) !== "100", unit = isMoney ? 100 : 1;
  let typed = "", number = isMoney ? bounds.least : NaN;
  const shown = h("output", { class: "number" });
  const place = /** @type {HTMLButtonElement} */ (h("button", { type: "button", class: "main", click: () => done() }, words.enter));
  /** @param {string} key */
  const type = (key) => {
    typed = key === "⌫" ? typed.slice(0, -1) : (typed + key).slice(0, 7);
    number = typed === "" ? NaN : Number(typed) * unit;
    draw();
  };
  /** @param {number} by */
  const move = (by) => {
    const from = Number.isNaN(number) ? bounds.least : number;
    number = Math.min(most, Math.max(bounds.least, from + by * bounds.step));
    typed = "";
    draw();
  };
  const pad = DIGITS.map((digit) =>
    digit ? h("button", { type: "button", class: "plain", click: () => type(digit) }, digit) : h("span"),
  );
  const less = h("button", { type: "button", class: "plain", "aria-label": "−", click: () => move(-1) }, "−");
  const more = h("button", { type: "button", class: "plain", "aria-label": "+", click: () => move(1) }, "+");
  const limits = h("p", { class: "facts" }, words.limits(spell(bounds.least), most === Infinity ? "…" : spell(most)));
  const atBench = h("section", { class: "at-bench" });
  const { stream, key } = dealer, isShown = isRest && stream?.benches.has(key);
  const update = async () => stream && isShown && (await import("./lying.js")).showRest(atBench, stream, key);
  const sheet = openSheet(dealer, "number-sheet", title, {
    update,
    body: [
      isShown ? atBench : null,
      h("div", { class: "amount-row" }, less, shown, more, h("span", { class: "gap" }), limits, place),
      h("div", { class: "pad" }, ...pad),
    ],
  });
  function draw() {
    shown.textContent = Number.isNaN(number) ? "–" : spell(number);
    const isWithin = number >= bounds.least && number <= most && (number - bounds.least) % bounds.step === 0;
    place.disabled = !isWithin;
  }
  async function done() {
    const answer = await send(number);
    if (answer?.accepted) sheet.close();
  }
  draw();
  update();
}
