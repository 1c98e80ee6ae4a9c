/** Elements of the traveler's page. */

/** An item of a description list: a term and its content, a text or a node. */
export function termItem([term, text]) {
  const item = document.createElement("div");
  for (const [tag, content] of [
    ["dt", term],
    ["dd", text],
  ]) {
    item.append(document.createElement(tag));
    item.lastChild.append(content);
  }
  return item;
}

/** A text, or a link if it has an address, after a comma unless it is the first. */
export function linkItem({ text, href }, index) {
  const item = document.createElement(href ? "a" : "span");
  if (href) item.href = href;
  item.append(text);
  return index > 0 ? [", ", item] : [item];
}
