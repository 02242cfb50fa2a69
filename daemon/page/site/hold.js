// @ts-check
/**
 * A key that a slip of the finger does not press: it has to be held.
 *
 * It acts as soon as it was held for long enough. On a busy machine the finger's leaving can be told to the page before
 * the timer that was due earlier: then the times of the two events decide, and who held it is not asked to do it again.
 */
import { h } from "./dom.js";
import { words } from "./words.js";

export const HOLD_MS = 700;

/** Whether a key in this part is being held. To draw it anew would take it from under the finger. @param {Element} part */
export const isHeld = (part) => part.querySelector(".holding") !== null;

/**
 * @param {string} label @param {string} kind
 * @param {() => () => void} begin is called as the finger comes down, and returns what is done when it has stayed
 */
export function holdKey(label, kind, begin) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let sinceMs = 0, act = () => {};
  const text = [h("i"), h("b", {}, label), h("small", {}, words.hold)];
  const key = h("button", { type: "button", class: `hold ${kind}`, "aria-label": `${label}: ${words.hold}` }, ...text);
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    key.classList.remove("holding");
  };
  const done = () => {
    stop();
    act();
  };
  /** @param {Event} event */
  const start = (event) => {
    if (timer) return;
    key.classList.add("holding");
    sinceMs = event.timeStamp;
    act = begin();
    timer = setTimeout(done, HOLD_MS);
  };
  /** @param {Event} event */
  const release = (event) => (timer && event.timeStamp - sinceMs >= HOLD_MS ? done() : stop());
  key.addEventListener("pointerdown", (event) => {
    key.setPointerCapture(event.pointerId);
    start(event);
  });
  for (const end of ["pointerup", "keyup"]) key.addEventListener(end, release);
  for (const end of ["pointercancel", "lostpointercapture", "blur"]) key.addEventListener(end, stop);
  key.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && !event.repeat) start(event);
  });
  key.addEventListener("contextmenu", (event) => event.preventDefault());
  return key;
}
