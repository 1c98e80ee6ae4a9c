/** Elements of the traveler's page and the quote card. */

export function byId(id) {
  return document.getElementById(id);
}

/** An element with a class, if it has one, and with its content: nodes and texts, of which empty ones are left out. */
export function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content.filter(Boolean));
  return made;
}

/** Shows a status, which screen readers announce when it changes. */
export function announce(text) {
  const status = byId("status");
  if (status.textContent !== text) status.textContent = text;
}

/**
 * An item of a description list: a term and its content, a text or a node.
 * @param {(string | Node)[]} item
 */
export function termItem([term, text]) {
  return element("div", "", element("dt", "", term), element("dd", "", text));
}

/**
 * A text, or a link if it has an address, after a comma unless it is the first.
 * @param {{ text: string | Node, href?: string }} content
 * @param {number} index
 */
export function linkItem({ text, href }, index) {
  const item = element(href ? "a" : "span", "", text);
  if (href) item.setAttribute("href", href);
  return index > 0 ? [", ", item] : [item];
}

/** Timer of the only countdown. */
let timer;

/** Calls `onSecond` with the seconds left until an instant, rounded up: at once, then every second, finally with 0. */
export function countDown(until, now, onSecond) {
  const left = Math.max(0, until - now());
  onSecond(Math.ceil(left / 1000));
  if (left > 0) timer = setTimeout(countDown, (left % 1000) + 1, until, now, onSecond);
}

export function stopCountDown() {
  clearTimeout(timer);
}
