// @ts-check
/** Makes elements. A text of the table becomes a text node and never markup. */

/** @typedef {Node | string | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an HTML element. A function among the attributes is a listener.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...Child} children @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * Make an SVG element.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...Child} children @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  return filled(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/** @template {Element} E @param {E} made @param {Record<string, any>} attributes @param {Child[]} children */
function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/**
 * Draw a part of the page again only when what it shows has changed: a redraw would take the focus and a finger away.
 * @param {Element} part @param {any} shown @param {() => Child[]} draw @returns {boolean} whether it was drawn
 */
export function redraw(part, shown, draw) {
  const print = JSON.stringify(shown);
  if (prints.get(part) === print) return false;
  prints.set(part, print);
  part.replaceChildren();
  filled(part, {}, draw());
  return true;
}
/** @type {WeakMap<Element, string>} */
const prints = new WeakMap();
