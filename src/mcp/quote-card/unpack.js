import { byId } from "./views.js";

/** Replaces the content of an element by its text: it is compressed, because hosts load the card with every chat. */
export async function unpack(id) {
  const element = byId(id);
  const bytes = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  element.textContent = await new Response(stream).text();
}
