/** The map of the quote where the host reads it from the server, else the journey as a line of stops. */
import { stopText } from "../../checkout/page/details.js";
import { nameText, textOf } from "../../checkout/page/language.js";
import { entered } from "../../checkout/page/notices.js";
import { byId, element, write } from "./views.js";

const LEGIBLE_PIXELS = 11;
const ROUTE_PIXELS = 3;
/** Of the route in the picture; other lines are thinner. */
const ROUTE_WIDTH = 4;
/** Of a letter, in font sizes. */
const LETTER_WIDTH = 0.6;

export function createPicture(host, { serverResources }) {
  let svg;
  let title = "";
  const figure = byId("picture");
  new ResizeObserver(draw).observe(figure);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  return { show, draw };

  async function show(quote) {
    title = textOf("map", { origin: nameText(quote.origin), destination: nameText(quote.destination) });
    svg = undefined;
    write("picture", lineOf(quote));
    if (!quote.quote_id || !serverResources) return;
    svg = await readMap(host, quote.quote_id).catch(() => undefined);
    draw();
  }

  /** As an image, which runs no script, in the color and the size of the place where it stands. */
  function draw() {
    if (!svg || figure.clientWidth === 0) return;
    const image = figure.querySelector("img") ?? new Image();
    image.alt = title;
    image.src = `data:image/svg+xml,${encodeURIComponent(drawn(svg, figure))}`;
    if (!image.parentNode) write("picture", image);
  }
}

async function readMap(host, quoteId) {
  const uri = `transfer-quote://quotes/${quoteId}/map.svg`;
  const { contents } = await host.request("resources/read", { uri });
  const { documentElement } = new DOMParser().parseFromString(contents[0].text, "image/svg+xml");
  return documentElement.localName === "svg" ? documentElement : undefined;
}

/** Route and letters keep a size that can be seen; names that would then not fit are left out, as the title has the places. */
function drawn(svg, figure) {
  const copy = svg.cloneNode(true);
  const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  const { color, maxHeight } = getComputedStyle(figure);
  const { backgroundColor } = getComputedStyle(document.body);
  const scale = Math.min(
    figure.clientWidth / width,
    (Number.parseFloat(maxHeight) || Number.POSITIVE_INFINITY) / height,
  );
  const size = Math.max(12, LEGIBLE_PIXELS / scale);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.setAttribute("color", color);
  copy.setAttribute("font-size", String(size));
  for (const line of copy.querySelectorAll(`[stroke-width="${ROUTE_WIDTH}"]`)) {
    line.setAttribute("stroke-width", String(Math.max(ROUTE_WIDTH, ROUTE_PIXELS / scale)));
  }
  for (const text of copy.querySelectorAll("text")) {
    text.textContent = nameText(text.textContent);
    const x = Number(text.getAttribute("x"));
    const room = text.getAttribute("text-anchor") === "end" ? x : width - x;
    if (text.textContent.length * size * LETTER_WIDTH > room) text.remove();
    // An edge in the color behind, so that lines do not cross letters.
    text.setAttribute("paint-order", "stroke");
    text.setAttribute("stroke", backgroundColor);
    text.setAttribute("stroke-width", String(size / 3));
  }
  return new XMLSerializer().serializeToString(copy);
}

function lineOf({ origin, destination, waypoints = [] }) {
  const stops = [{ name: origin }, ...waypoints, ...(destination === origin ? [] : [{ name: destination }])];
  return element("ol", "stops", ...stops.map((stop) => element("li", "", entered(stop.name), stopText(stop))));
}
