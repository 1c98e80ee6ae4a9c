import { byId } from "../../../service/checkout/page/elements.ts";

const VIEWS = ["problem", "offer", "approval", "handoff"] as const;
/** Views under which the journey and its conditions can be opened. */
const CONDITIONED: readonly string[] = ["offer", "approval"];

/** Shows one of the views. */
export function showView(shown: (typeof VIEWS)[number]): void {
  for (const id of VIEWS) byId(id).hidden = id !== shown;
  byId("conditions").hidden = !CONDITIONED.includes(shown);
  byId("banner").hidden = shown === "problem" || byId("banner").childNodes.length === 0;
}

export function write(id: string, ...content: (string | Node)[]): void {
  byId(id).replaceChildren(...content);
  byId(id).hidden = content.length === 0;
}
