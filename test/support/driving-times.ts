import { embeddedPricing } from "../../src/compose/compose-pricing.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
import { recordsOf } from "./csv-records.ts";
import { pathOf } from "./road-distances.ts";
import { table } from "./with-marked.ts";

const HEAD = ["Corridor", "Noon in July", "15 January, 10:00", "Night in July, 02:00", "Published", "By", "Difference"];
const INSTANTS = ["2027-07-15T10:00:00Z", "2027-01-15T09:00:00Z", "2027-07-15T00:00:00Z"];

/** The minutes of the packaged roads beside published ones (`test/routing/driving-times.csv`). */
export async function drivingTimes(): Promise<string> {
  const { places, catalog } = embeddedPricing({ catalogDir: packagedCatalog });
  const network = createRoadNetwork(catalog.roads, catalog.tariff.timeZone);
  const { signal } = new AbortController();
  const cells = recordsOf(pathOf("driving-times.csv")).map(async (row) => {
    const [origin = "", destination = "", published = "", by = "", source = ""] = row.split(",");
    const located = await Promise.all([origin, destination].map((text) => places.find(text, signal)));
    const stops = located.flatMap((location) => (location.kind === "found" ? [stopOf(location)] : []));
    if (stops.length < 2) throw new Error(`Not found: ${row}`);
    const minutes = INSTANTS.map((instant) => network.journey(stops, new Date(instant)).durationMinutes);
    const [noon = 0] = minutes;
    const percent = Math.round((noon / Number(published) - 1) * 100);
    const author = source.startsWith("http") ? `[${by}](${source})` : by;
    const sign = percent > 0 ? "+" : "";
    return [
      `${origin} – ${destination}`,
      ...minutes.map((each) => String(Math.round(each))),
      published,
      author,
      `${sign}${percent} %`,
    ];
  });
  return table(HEAD, await Promise.all(cells));
}
