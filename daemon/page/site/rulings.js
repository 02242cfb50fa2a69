// @ts-check
/** A ruling is recorded with its reason: some are ready, and there is room for another. */
import { h } from "./dom.js";
import { holdKey } from "./hold.js";
import { commandOf } from "./offers.js";
import { reasons } from "./said.js";
import { named, words } from "./words.js";

const REASON_MAX = 200;

/** The commands that are recorded with a reason. */
export const NEEDS_REASON = ["rule", "void-round"];

/**
 * @param {import("./desk.js").Desk} desk @param {import("./offers.js").Offer[]} offers @param {() => void} close
 * @returns {HTMLElement}
 */
export function rulingSection(desk, offers, close) {
  const reason = /** @type {HTMLInputElement} */ (
    h("input", { "aria-label": words.reason, placeholder: words.reason, maxlength: REASON_MAX })
  );
  const ready = words.reasons.map((text) => {
    const key = h("button", { type: "button", class: "plain", "aria-pressed": "false" }, text);
    key.addEventListener("click", () => {
      reason.value = text;
      mark();
    });
    return key;
  });
  const mark = () => {
    for (const key of ready) {
      key.classList.toggle("on", key.textContent === reason.value);
      key.setAttribute("aria-pressed", String(key.textContent === reason.value));
    }
  };
  reason.addEventListener("input", mark);
  /** @param {import("./press.js").Command} command */
  const send = async (command) => {
    if (!reason.value.trim()) {
      reason.focus();
      desk.say(words.reasonMissing, "no");
      return;
    }
    const answer = await desk.send({ ...command, data: { ...command.data, reason: reason.value.trim() } });
    if (answer?.accepted) close();
  };
  const still = desk.table.standstill;
  // A round that stands still is voided by a ruling. Then the command that voids a running round would be a second key.
  const given = offers.some((offer) => offer.choices.includes("void")) ? offers.filter((offer) => offer.command === "rule") : offers;
  return h(
    "section",
    { class: "ruling" },
    h("h3", {}, `${named(words.commands, given[0].command)} (${words.roles(given[0].roles)})`),
    still ? h("p", { class: "facts" }, reasons(still.reason, still.said)) : null,
    ...(still?.findings ?? []).map((/** @type {any} */ finding) => h("p", { class: "finding" }, reasons(finding.message, finding.said))),
    ...(still?.evidence ?? []).map((/** @type {any} */ hand) => h("p", { class: "finding" }, words.onRecord(words.seat(hand.seat), hand.cards_counted, hand.cards_planned))),
    h("div", { class: "choices" }, ...ready),
    reason,
    h("div", { class: "rulings" }, ...given.flatMap((offer) => keysOf(offer, still, send)), ...refused(still)),
  );
}

/** A key for each ruling, and under it what it will do. @param {import("./offers.js").Offer} offer @param {any} still @param {(command: import("./press.js").Command) => void} send */
function keysOf(offer, still, send) {
  const choices = offer.command === "void-round" ? ["void"] : offer.choices;
  return choices.map((choice) => {
    const act = () => send(commandOf(offer, { choice }));
    const label = named(words.rulings, choice);
    const key = choice === "void" ? holdKey(label, "void", act) : h("button", { type: "button", class: "main", click: act }, label);
    const does = still?.rulings.find((/** @type {any} */ one) => one.ruling === choice)?.does;
    return h("div", {}, key, h("small", {}, (!words.said && does) || named(words.ruledDoes, choice)));
  });
}

/** What would be refused now, and what has to be done first. @param {any} still */
function refused(still) {
  return (still?.rulings ?? [])
    .filter((/** @type {any} */ one) => one.refused)
    .map((/** @type {any} */ one) => h("p", { class: "quiet" }, `${named(words.rulings, one.ruling)}: ${reasons(one.refused, one.refused_said)}`));
}
