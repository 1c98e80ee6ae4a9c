import { loadCatalog } from "../../domain/catalog/catalog.ts";
import { didYouMean } from "../../domain/catalog/nearest-name.ts";
import type { PlaceEntry } from "../../domain/catalog/places-schema.ts";
import { fold, namesOf } from "../../domain/places/names.ts";
import { createZones } from "../../domain/places/zones.ts";
import type { Config } from "../config/config.ts";
import type { Arguments } from "./command.ts";
import { formatOf, print } from "./print.ts";

export const options = { csv: { meaning: "comma-separated values" }, json: { meaning: "JSON" } } as const;

/**
 * The `places` command: places with the ids that other files name, and the zones that contain them. A text selects those
 * with it in their id or a name, and those with this code, postcode, canton, country or zone. Returns 1 where it selects none.
 */
export async function run({ catalogDir }: Config, { values, operands }: Arguments<typeof options>): Promise<number> {
  const catalog = loadCatalog(catalogDir);
  const zones = createZones(catalog);
  const text = operands[0] ?? "";
  const zonesOf = new Map(catalog.places.map((place) => [place, zones.of(place)]));
  const found = catalog.places.filter((place) => isMeant(text, place, zonesOf.get(place) ?? []));
  const rows = found.map((place) => {
    const { id, name, kind, canton, postcodes } = place;
    return { id, name, kind, canton, postcodes: postcodes.join(" "), zones: zonesOf.get(place)?.join(" ") };
  });
  if (rows.length > 0) {
    await print(rows, (row) => row, formatOf(values), "postcodes");
    return 0;
  }
  const names = catalog.places.flatMap((place) => namesOf(place).map(fold));
  process.stderr.write(`no place or zone has ${JSON.stringify(text)}${didYouMean(fold(text), names)}\n`);
  return 1;
}

function isMeant(text: string, place: PlaceEntry, zones: readonly string[]): boolean {
  const { id, localName = id, iata = "", canton = "", country, postcodes } = place;
  const codes = [iata, canton, country, ...postcodes, ...zones].map((code) => code.toLowerCase());
  const names = [id, localName, ...namesOf(place)].map(fold);
  return codes.includes(text.toLowerCase()) || names.some((each) => each.includes(fold(text)));
}
