// @ts-check
/** A key that a slip of the finger does not press: it has to be held. */
import { h } from "./dom.js";
import { words } from "./words.js";

export const HOLD_MS = 700;

/** @param {string} label @param {string} kind @param {() => void} act */
export function holdKey(label, kind, act) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const text = [h("i"), h("b", {}, label), h("small", {}, words.hold)];
  const key = h("button", { type: "button", class: `hold ${kind}`, "aria-label": `${label}: ${words.hold}` }, ...text);
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    key.classList.remove("holding");
  };
  const start = () => {
    if (timer) return;
    key.classList.add("holding");
    timer = setTimeout(() => {
      stop();
      act();
    }, HOLD_MS);
  };
  key.addEventListener("pointerdown", (event) => {
    key.setPointerCapture(event.pointerId);
    start();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur", "keyup"]) key.addEventListener(end, stop);
  key.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && !event.repeat) start();
  });
  key.addEventListener("contextmenu", (event) => event.preventDefault());
  return key;
}
