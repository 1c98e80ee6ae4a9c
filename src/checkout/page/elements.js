/** Elements of the traveler's page. */

import { locale, nameText, textOf } from "./language.js";

/** The map of an offer, in the page's language. Nothing where there is no picture, or where it cannot be read. */
export function pictureIn({ route_map: svg, origin, destination }) {
  if (!svg) return [];
  const { documentElement: picture } = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (picture.localName !== "svg") return [];
  for (const name of picture.querySelectorAll("text, title")) name.textContent = nameText(name.textContent);
  if (!locale.startsWith("en")) {
    const title = textOf("map", { origin: nameText(origin), destination: nameText(destination) });
    picture.setAttribute("aria-label", title);
    picture.querySelector(":scope > title")?.replaceChildren(title);
  }
  return [document.adoptNode(picture)];
}

/** A term and what is said of it, a text or nodes. */
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

/** A text, or a link where it has an address, after a comma unless it is the first. */
export function linkItem({ text, href }, index) {
  const item = document.createElement(href ? "a" : "span");
  if (href) item.href = href;
  item.textContent = text;
  return index > 0 ? [", ", item] : [item];
}
