// @ts-check
/** Log in with the name and password of the broker. At a trial, choose one of its users. */
import { h } from "./dom.js";
import { answered } from "./said.js";
import { language, speak, words } from "./words.js";
import { logIn, logOut } from "./press.js";

/** @param {import("./stream.js").Stream} stream @param {HTMLElement} root @param {string} back where to go afterwards @param {boolean} [isForBets] @param {() => boolean} [isForNow] whether they come for a moment: who is logged in here, if anybody, goes on afterwards */
export function showLogin(stream, root, back, isForBets = false, isForNow = () => false) {
  const user = /** @type {HTMLInputElement} */ (h("input", { name: "user", autocomplete: "username", required: true, autocapitalize: "none" }));
  const password = /** @type {HTMLInputElement} */ (h("input", { name: "password", type: "password", autocomplete: "current-password" }));
  const said = h("output", { class: "refusal", role: "alert" });
  /** @param {string} name @param {string} secret */
  const enter = async (name, secret) => {
    said.textContent = "";
    const answer = await logIn(name, secret, isForNow());
    if (answer.accepted) location.hash = back;
    else said.textContent = await answered(answer);
  };
  const trial = h("div", { class: "trial" });
  const form = h(
    "form",
    { class: "login", submit: (/** @type {Event} */ event) => (event.preventDefault(), enter(user.value, password.value)) },
    h("h1", {}, isForBets ? words.logInToBet : "feltd"),
    trial,
    h("label", {}, words.name, user),
    h("label", {}, words.password, password),
    h("button", { class: "main" }, words.logIn),
    said,
  );
  const others = h("p", {}, h("a", { href: back }, words.back), h("a", { href: "#/pit" }, words.pit), h("button", { type: "button", class: "plain", click: () => speak(language === "en" ? "es" : "en") }, language === "en" ? "Español" : "English"));
  form.append(others);
  root.replaceChildren(form);
  const show = () => {
    const keys = stream.trialUsers.map((name) => h("button", { type: "button", class: "plain", click: () => enter(name, "") }, name));
    if (keys.length && !trial.childElementCount) trial.append(h("p", {}, words.trial), ...keys);
    if (stream.user && !others.querySelector(".out")) {
      others.append(h("button", { type: "button", class: "plain out", click: async () => (await logOut(), (location.hash = back)) }, `${words.logOut}: ${stream.user}`));
    }
  };
  stream.addEventListener("change", show);
  show();
}
