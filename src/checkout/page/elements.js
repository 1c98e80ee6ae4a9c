/** Elements of the traveler's page. */

/**
 * An item of a description list: a term and its content, a text or a node.
 * @param {(string | Node)[]} item
 */
export function termItem([term, text]) {
  const item = document.createElement("div");
  const [dt, dd] = [document.createElement("dt"), document.createElement("dd")];
  dt.append(term);
  dd.append(text);
  item.append(dt, dd);
  return item;
}

/**
 * A text, or a link if it has an address, after a comma unless it is the first.
 * @param {{ text: string | Node, href?: string }} content
 * @param {number} index
 */
export function linkItem({ text, href }, index) {
  const item = document.createElement(href ? "a" : "span");
  if (href) item.setAttribute("href", href);
  item.append(text);
  return index > 0 ? [", ", item] : [item];
}
