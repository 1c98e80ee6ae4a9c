import { loadCatalog } from "../../domain/catalog/catalog.ts";
import { didYouMean } from "../../domain/catalog/nearest-name.ts";
import type { PlaceEntry } from "../../domain/catalog/places-schema.ts";
import { fold, namesOf } from "../../domain/places/names.ts";
import { createZones } from "../../domain/places/zones.ts";
import { type CommandCall, CommandFailed } from "./command.ts";
import { formatOf, print } from "./print.ts";

export const options = { csv: { meaning: "comma-separated values" }, json: { meaning: "JSON" } } as const;

/**
 * The `places` command: places with the ids that other files name, and the zones that contain them. A text selects those
 * with this code, postcode, canton, country or zone, or where there are none those with it in their id or a name.
 * Throws CommandFailed where it selects none.
 */
export async function run({ config, values, operands }: CommandCall<typeof options>): Promise<undefined> {
  const catalog = loadCatalog(config.catalogDir);
  const { of } = createZones(catalog);
  const text = operands[0] ?? "";
  const all = catalog.places.map((place) => ({ ...place, zones: of(place) }));
  const coded = all.filter((place) => codesOf(place).some((code) => code.toLowerCase() === text.toLowerCase()));
  const found =
    coded.length > 0 ? coded : all.filter((place) => foldedNamesOf(place).some((name) => name.includes(fold(text))));
  if (found.length === 0) {
    const near = didYouMean(fold(text), all.flatMap(foldedNamesOf));
    throw new CommandFailed(`no place or zone has ${JSON.stringify(text)}${near}`);
  }
  const cells = ({ id, name, kind, canton, postcodes, zones }: (typeof all)[number]) => {
    return { id, name, kind, canton, postcodes: postcodes.join(" "), zones: zones.join(" ") };
  };
  await print(found, cells, formatOf(values), "postcodes");
}

function codesOf({ iata, canton, country, postcodes, zones }: PlaceEntry & { readonly zones: readonly string[] }) {
  return [iata, canton, country, ...postcodes, ...zones].filter((code) => code !== undefined);
}

function foldedNamesOf({ id, localName = id, ...place }: PlaceEntry): readonly string[] {
  return [id, localName, ...namesOf(place)].map(fold);
}
