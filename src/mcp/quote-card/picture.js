/** Shows the map of a quote if the host can read it from the server, otherwise the stops in a line. */
import { stopText } from "../../checkout/page/details.js";
import { pictureIn } from "../../checkout/page/elements.js";
import { entered } from "../../checkout/page/notices.js";
import { element, write } from "./views.js";

export async function showPicture(host, { serverResources }, quote) {
  write("picture", lineOf(quote));
  if (!quote.quote_id || !serverResources) return;
  const uri = `transfer-quote://quotes/${quote.quote_id}/map.svg`;
  const { contents } = await host.request("resources/read", { uri }).catch(() => ({}));
  const picture = pictureIn({ ...quote, route_map: contents?.[0]?.text });
  if (picture.length > 0) write("picture", ...picture);
}

function lineOf({ origin, destination, waypoints = [] }) {
  const stops = [{ name: origin }, ...waypoints, ...(destination === origin ? [] : [{ name: destination }])];
  return element("ol", "stops", ...stops.map((stop) => element("li", "", entered(stop.name), stopText(stop))));
}
