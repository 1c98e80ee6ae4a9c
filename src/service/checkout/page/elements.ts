import type { DirectionView, Row } from "../view/legs-view.ts";
import type { Item } from "../view/party-view.ts";
import type { Said } from "../view/words.ts";

/** Elements of the traveler's page and the quote card. */

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

type Content = string | Node | undefined;

/** An element with a class, if it has one, and with its content, of which what is empty is left out. */
export function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className: string, ...content: Content[]) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content.flatMap((each) => each || []));
  return made;
}

/** `bdi` keeps the writing direction of the assistant's words from affecting other text. */
export function drawn(said: Said): (string | Node)[] {
  return said.map((each) => {
    if (typeof each === "string") return each;
    if (each.is === "entered") return element("bdi", "entered", each.text);
    return Object.assign(element("span", "", each.text), { lang: "en" });
  });
}

export function listItems(all: readonly Said[]): HTMLElement[] {
  return all.map((said) => element("li", "", ...drawn(said)));
}

/** An item of a description list: a term and its content. */
export function termItem([term, text]: Item, className = ""): HTMLElement {
  return element("div", className, element("dt", "", ...drawn(term)), element("dd", "", ...drawn(text)));
}

/** Where to be, when, and by what the journey goes on. */
export function timeline(directions: readonly DirectionView[]): HTMLElement[] {
  return directions.flatMap(({ heading, rows }) => [
    element("h3", "", heading),
    element("ol", "timeline", ...rows.map(rowItem)),
  ]);
}

function rowItem({ action, isConnection, time, place, entered, near, what, way }: Row): HTMLElement {
  const marked = entered ? [element("bdi", "entered", entered)] : [];
  const parts = [
    element("strong", "clock", time),
    element("strong", "place", ...(place ? [place] : marked), near && ` ${near}`),
    element("span", "what", what),
    element("span", "words", ...(place ? marked : [])),
    element("span", "way", way),
  ];
  const shown = parts.filter(({ childNodes }) => childNodes.length > 0).flatMap((each) => [each, " "]);
  const item = element("li", isConnection ? "leg connection" : "leg", ...shown);
  item.dataset.action = action;
  return item;
}

/** Shows a status, which screen readers announce when it changes. */
export function announce(text: string): void {
  const status = byId("status");
  if (status.textContent !== text) status.textContent = text;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Calls `onSecond` with the seconds left until an instant, rounded up: at once, then every second, finally with 0. */
export function countDown(until: number, now: () => number, onSecond: (seconds: number) => void): void {
  const left = Math.max(0, until - now());
  onSecond(Math.ceil(left / 1000));
  if (left > 0) timer = setTimeout(countDown, (left % 1000) + 1, until, now, onSecond);
}

export function stopCountDown(): void {
  clearTimeout(timer);
}
