import type { PlaceWords } from "../../domain/catalog/places-schema.ts";
import { fold } from "../../domain/places/names.ts";

export type AddressWords = ReturnType<typeof createAddressWords>;

/** The folded words of an address without abbreviations and country codes: "Bahnhofstr. 12 A" is "Bahnhofstrasse 12a". */
export function createAddressWords({ words, streetAbbreviations }: PlaceWords): (address: string) => readonly string[] {
  const codes = words
    .filter(({ role }) => role === "postcodeCountry")
    .flatMap((each) => each.words.map(fold))
    .filter(({ length }) => length === 2);
  const countryCode = new RegExp(`(^|[ ,])(?:${codes.join("|")})(?= \\d{4,5}(?:[ ,]|$)|,|$)`, "g");
  const abbreviations = Object.entries(streetAbbreviations).map(([short, word]) => {
    const before = short.startsWith("-") ? "(?<=[^ ,]{3})" : "(?<=^|[ ,])";
    return [new RegExp(`${before}${fold(short)}(?=[ ,]|$)`, "g"), fold(word)] as const;
  });

  return (address) => {
    const withoutCodes = fold(address).replace(countryCode, "$1");
    // "12 A"
    const joined = withoutCodes.replace(/(^| )(\d+) ([a-h])(?=[ ,]|$)/g, "$1$2$3");
    const inFull = abbreviations.reduce((text, [short, word]) => text.replace(short, word), joined);
    return inFull.split(/[ ,]+/).filter((word) => word !== "");
  };
}
