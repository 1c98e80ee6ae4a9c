/** Elements of the traveler's page. */

import { locale, nameText, textOf } from "./language.js";

const SVG = "http://www.w3.org/2000/svg";
const ELEMENTS = ["svg", "title", "g", "path", "circle", "text"];
const ATTRIBUTES = [
  ...["viewBox", "width", "height", "d", "cx", "cy", "r", "x", "y", "fill", "fill-opacity", "stroke", "stroke-opacity"],
  ...[
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "font-family",
    "font-size",
    "font-weight",
  ],
  ...["role", "aria-label", "text-anchor"],
];

/** The map of a journey in the page's language; empty if there is none or it is not SVG. */
export function pictureIn({ route_map: svg, origin, destination }) {
  if (!svg) return [];
  const { documentElement: source } = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (source.localName !== "svg") return [];
  const picture = drawingOf(source);
  for (const name of picture.querySelectorAll("text")) name.textContent = nameText(name.textContent);
  if (!locale.startsWith("en")) {
    const title = textOf("map", { origin: nameText(origin), destination: nameText(destination) });
    picture.setAttribute("aria-label", title);
    picture.querySelector(":scope > title")?.replaceChildren(title);
  }
  return [picture];
}

/** A copy with the listed elements and attributes only, which cannot load or run anything. */
function drawingOf(source) {
  const copy = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) if (ATTRIBUTES.includes(name)) copy.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(child.data);
    else if (ELEMENTS.includes(child.localName)) copy.append(drawingOf(child));
  }
  return copy;
}

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
  item.textContent = text;
  return index > 0 ? [", ", item] : [item];
}
