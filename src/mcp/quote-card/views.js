const VIEWS = ["problem", "offer", "approval", "handoff"];
/** Views under which the journey and its conditions can be opened. */
const CONDITIONED = ["offer", "approval"];

export function byId(id) {
  return document.getElementById(id);
}

/** Shows one of the views, or none. */
export function showView(shown) {
  for (const id of VIEWS) byId(id).hidden = id !== shown;
  byId("conditions").hidden = !CONDITIONED.includes(shown);
  byId("banner").hidden = shown === "problem" || byId("banner").childNodes.length === 0;
}

/** Shows a status text; a screen reader announces each text once. */
export function say(text) {
  const status = byId("status");
  if (status.textContent !== text) status.textContent = text;
}

export function write(id, ...content) {
  byId(id).replaceChildren(...content);
  byId(id).hidden = content.length === 0;
}

/** An element with a class and content; strings become text. */
export function element(tag, className, ...content) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
}
