// @ts-check
/** A ruling is recorded with its reason: some are ready, and there is room for another. */
import { logInLink } from "./desk.js";
import { h } from "./dom.js";
import { holdKey } from "./hold.js";
import { commandOf } from "./offers.js";
import { reasons, statement } from "./said.js";
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
  // Said in a line of its own, whose room is always kept: it covers no key, and moves none.
  const why = h("p", { class: "why", role: "alert" });
  const mark = () => {
    why.textContent = "";
    desk.reason = reason.value;
    for (const key of ready) {
      key.classList.toggle("on", key.textContent === reason.value);
      key.setAttribute("aria-pressed", String(key.textContent === reason.value));
    }
  };
  reason.value = desk.reason ?? ""; // of a section that was drawn anew
  reason.addEventListener("input", mark);
  mark();
  /** @param {import("./press.js").Command} command @param {boolean} isHeld */
  const send = async (command, isHeld) => {
    if (!reason.value.trim()) {
      reason.focus();
      why.textContent = words.reasonMissing;
      return;
    }
    const answer = await desk.send({ ...command, data: { ...command.data, reason: reason.value.trim() } }, isHeld);
    if (!answer?.accepted) return;
    desk.reason = "";
    close();
  };
  const still = desk.table.standstill;
  // A round that stands still is voided by a ruling. Then the command that voids a running round would be a second key.
  const given = offers.some((offer) => offer.choices.includes("void")) ? offers.filter((offer) => offer.command === "rule") : offers;
  return h(
    "section",
    { class: "ruling" },
    h("h3", {}, `${named(words.commands, given[0].command)} (${words.roles(given[0].roles)})`),
    ...factsOf(still),
    h("div", { class: "choices" }, ...ready),
    reason,
    why,
    h("div", { class: "rulings" }, ...given.flatMap((offer) => keysOf(offer, desk.table, send)), ...refused(still)),
  );
}

/** Draw a sheet's body anew, without taking the focus from a reason that is being typed. @param {HTMLElement} body @param {HTMLElement[]} parts */
export function renew(body, parts) {
  const isTyped = body.querySelector("input:focus") !== null;
  body.replaceChildren(...parts);
  if (isTyped) body.querySelector("input")?.focus();
}

/** Why the round stands still, and what is known. @param {any} still */
const factsOf = (still) => [
  still ? h("p", { class: "facts" }, statement(still.reason, still.said)) : null,
  ...(still?.findings ?? []).map((/** @type {any} */ finding) => h("p", { class: "finding" }, statement(finding.message, finding.said))),
  ...(still?.evidence ?? []).map((/** @type {any} */ hand) => h("p", { class: "finding" }, words.onRecord(words.seat(hand.seat), hand.cards_counted, hand.cards_planned))),
];

/** A round that this user may not rule on: why it stands still, and who rules. @param {import("./desk.js").Desk} desk @param {import("./offers.js").Offer} offer */
export function ruledByOthers(desk, offer) {
  const who = words.roles(offer.roles);
  return h("section", { class: "ruling" }, h("h3", {}, `${words.commands.rule}. ${words.only(who)}`), ...factsOf(desk.table.standstill), logInLink(desk, who));
}

/** The devices that are not well: while they are not, a round that goes on would stop again. @param {any} table @returns {string[]} */
export const causesOf = (table) =>
  table.devices
    .filter((/** @type {any} */ device) => device.presence !== "up" || device.faults.length)
    .map((/** @type {any} */ { device, presence, faults }) => `${device}: ${[named(words.presences, presence), ...faults].filter(Boolean).join(", ")}`);

/** A key for each ruling, and under it what it will do. @param {import("./offers.js").Offer} offer @param {any} table @param {(command: import("./press.js").Command, isHeld: boolean) => void} send */
function keysOf(offer, table, send) {
  const choices = offer.command === "void-round" ? ["void"] : offer.choices, { standstill, round_id: round } = table;
  const causes = causesOf(table);
  return choices.map((choice) => {
    // The round that was ruled on, though another one opens; and what stands on this sheet, though more comes as it is pressed.
    const seen = offer.command === "rule" ? { revision: standstill.revision } : {};
    const act = () => send({ ...commandOf(offer, { choice }, seen), round }, choice === "void");
    const label = named(words.rulings, choice), isInVain = choice === "continue" && causes.length > 0;
    const key = choice === "void" ? holdKey(label, "void", () => act) : h("button", { type: "button", class: isInVain ? "plain" : "main", click: act }, label);
    const does = standstill?.rulings.find((/** @type {any} */ one) => one.ruling === choice)?.does;
    const first = isInVain ? h("p", { class: "first" }, words.firstPutRight(causes.join("; "))) : null;
    return h("div", {}, key, first, h("small", {}, (!words.said && does) || named(words.ruledDoes, choice)));
  });
}

/** What would be refused now, and what has to be done first. @param {any} still */
function refused(still) {
  return (still?.rulings ?? [])
    .filter((/** @type {any} */ one) => one.refused)
    .map((/** @type {any} */ one) => h("p", { class: "quiet" }, `${named(words.rulings, one.ruling)}: ${reasons(one.refused, one.refused_said)}`));
}
