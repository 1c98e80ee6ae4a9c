import { byId } from "../../../service/checkout/page/elements.js";

const VIEWS = ["problem", "offer", "approval", "handoff"];
/** Views under which the journey and its conditions can be opened. */
const CONDITIONED = ["offer", "approval"];

/** Shows one of the views, or none. */
export function showView(shown) {
  for (const id of VIEWS) byId(id).hidden = id !== shown;
  byId("conditions").hidden = !CONDITIONED.includes(shown);
  byId("banner").hidden = shown === "problem" || byId("banner").childNodes.length === 0;
}

export function write(id, ...content) {
  byId(id).replaceChildren(...content);
  byId(id).hidden = content.length === 0;
}
