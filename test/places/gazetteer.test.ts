import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import type { FarCity, PlaceEntry } from "../../src/catalog/places-schema.ts";
import { createGazetteer } from "../../src/places/index/gazetteer.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

function aPlace(id: string, name: string, rest: Partial<PlaceEntry> = {}): PlaceEntry {
  const where = { country: "CH", lat: 46, lng: 8 };
  return { id, name, aliases: [], kind: "town", postcodes: [], main: false, ...where, ...rest };
}

const FAR: readonly FarCity[] = [
  { name: "Paris", country: "FR", lat: 48.9, lng: 2.4, aliases: ["Gare de Lyon"] },
  { name: "New York", country: "US", lat: 40.7, lng: -74, aliases: ["NYC"] },
];

const gazetteer = createGazetteer({
  regions: loadCatalog(DEFAULT_CATALOG).regions,
  farCities: FAR,
  places: [
    aPlace("zurich", "Zurich", {
      canton: "ZH",
      aliases: ["Zürich", "Zurigo"],
      postcodes: ["8001", "8002"],
      ...{ lat: 47.37, lng: 8.54 },
    }),
    aPlace("zurich-hb", "Zurich HB", {
      canton: "ZH",
      kind: "station",
      postcodes: ["8001"],
      ...{ lat: 47.38, lng: 8.54 },
    }),
    aPlace("zurich-airport", "Zurich Airport", {
      canton: "ZH",
      iata: "ZRH",
      kind: "airport",
      aliases: ["Flughafen Zürich"],
      postcodes: ["8058"],
      ...{ lat: 47.45, lng: 8.56 },
    }),
    aPlace("aarau-airport", "Aarau Airport", { iata: "AEU", kind: "airport" }),
    aPlace("geneva", "Geneva", { canton: "GE", aliases: ["Genève", "Genf", "Ginevra"] }),
    aPlace("wil-sg", "Wil", { canton: "SG", postcodes: ["9500"] }),
    aPlace("wil-zh", "Wil", { canton: "ZH", postcodes: ["8196"] }),
    aPlace("twin-north", "Twin", { lat: 46.5 }),
    aPlace("twin-south", "Twin", { lat: 46.1 }),
    aPlace("freiburg-im-breisgau", "Freiburg im Breisgau", {
      country: "DE",
      aliases: ["Freiburg"],
      postcodes: ["79098"],
    }),
    aPlace("fribourg", "Fribourg", { canton: "FR", aliases: ["Freiburg"], postcodes: ["1700"] }),
    aPlace("lyon", "Lyon", { country: "FR" }),
    aPlace("tasch", "Täsch", { canton: "VS", postcodes: ["3929"] }),
    aPlace("zermatt", "Zermatt", { canton: "VS", postcodes: ["3920"] }),
    aPlace("verbier", "Verbier", { canton: "VS" }),
    aPlace("berbier", "Berbier"),
    aPlace("lyon-vd", "Lyon VD", { canton: "VD", localName: "Lyon", postcodes: ["1234"] }),
    aPlace("wengen-zh", "Wengen ZH", { canton: "ZH", localName: "Wengen" }),
    aPlace("brugg", "Brugg", { canton: "AG" }),
    aPlace("brugg-be", "Brügg BE", { canton: "BE", aliases: ["Brügg"] }),
    aPlace("bern", "Bern", { canton: "BE", lat: 46.95, lng: 7.44 }),
    aPlace("wengen", "Wengen", { canton: "BE", postcodes: ["3823"], lat: 46.61, lng: 7.92 }),
    aPlace("lauterbrunnen", "Lauterbrunnen", { canton: "BE", postcodes: ["3822"], lat: 46.59, lng: 7.91 }),
    ...["a", "b", "c", "d", "e", "f"].map((id) =>
      aPlace(`many-${id}`, `Many ${id.toUpperCase()}x`, { aliases: ["Many"] }),
    ),
  ],
});

function found(text: string): string {
  const answer = gazetteer.geocode(text);
  if (answer.kind === "place") return answer.atItsTown ? `${answer.place.id} (town)` : answer.place.id;
  return answer.kind === "outside" ? `outside: ${answer.name}` : `unclear: ${answer.candidates.join(" | ")}`;
}

suite("geocode", () => {
  const CASES: readonly (readonly [string, string, string])[] = [
    ["an IATA code in any case", "zRh", "zurich-airport"],
    ["an IATA code with spaces around it", " ZRH ", "zurich-airport"],
    ["an IATA code that folding would change", "AEU", "aarau-airport"],
    ["no IATA code in a longer text", "ZRHx", "unclear: "],
    ["a name", "Zermatt", "zermatt"],
    ["a name in capitals without its umlaut", "ZUERICH", "zurich"],
    ["an alias", "Ginevra", "geneva"],
    ["comma parts in the order of the name", "Zurich, Airport", "zurich-airport"],
    ["comma parts in the other order", "Airport, Zurich", "zurich-airport"],
    ["a name with its country", "Zermatt, Suisse", "zermatt"],
    ["a name with its canton", "Zermatt, Wallis", "zermatt"],
    ["a canton that decides between namesakes", "Wil, SG", "wil-sg"],
    ["a canton in full", "Wil, Kanton Zürich", "wil-zh"],
    ["a postcode that decides", "8196 Wil", "wil-zh"],
    ["a postcode with its country", "CH-9500 Wil", "wil-sg"],
    ["a postcode behind a comma", "Wil, 9500", "wil-sg"],
    ["a country that decides", "Freiburg, Deutschland", "freiburg-im-breisgau"],
    ["street, postcode, place and country", "Bahnhofstrasse 12, 8001 Zürich, Schweiz", "zurich (town)"],
    ["a hotel", "Hotel Bellevue Palace, Bern", "bern (town)"],
    ["a hotel in one of two namesakes", "Hotel Krone, 9500 Wil", "wil-sg (town)"],
    ["a place before its street", "Zermatt, Hotel Monte Rosa", "zermatt (town)"],
    ["a canton that is a town as well", "Hotel Post, Bern", "bern (town)"],
    ["two places in one text", "Bern, Zermatt", "unclear: Bern | Zermatt"],
    ["a place and one that is no canton of it", "Zermatt, Bern", "unclear: Bern | Zermatt"],
    ["a place and a canton that is a town as well", "Lauterbrunnen, Bern", "lauterbrunnen"],
    ["a part of a place and the place", "Wengen, 3822 Lauterbrunnen", "wengen"],
    ["a part, the place, and the postcode of the part", "Wengen, Lauterbrunnen, 3823", "wengen"],
    ["a hotel in a part of a place", "Hotel Regina, Wengen, 3822 Lauterbrunnen", "wengen (town)"],
    ["a station and its town", "Zürich HB, 8001 Zürich", "zurich-hb"],
    ["the word for a station, and a town", "Bahnhof, 8001 Zürich", "zurich-hb"],
    ["the station of one town in another", "Bahnhof Zermatt, Zürich", "unclear: Zermatt | Zurich"],
    ["the same in French", "Bern, gare de Zermatt", "unclear: Zermatt | Bern"],
    ["a station of the town, unknown", "Bahnhof Wollishofen, Zürich", "zurich (town)"],
    ["the same with a postcode that is not the station's", "Bahnhof, 8002 Zürich", "zurich (town)"],
    ["an airport and its city", "Flughafen Zürich, Zürich", "zurich-airport"],
    ["two sites that lie near each other", "Zürich Flughafen, Zürich HB", "unclear: Zurich HB | Zurich Airport"],
    ["a namesake in a country where it is not", "Zermatt, Germany", "unclear: "],
    ["a namesake in a canton where it is not", "Wil, VS", "unclear: "],
    ["a postcode of another place", "9999 Zermatt", "unclear: "],
    ["the local name of a lesser known place", "Lyon", "lyon"],
    ["a local name with its canton", "Lyon, VD", "lyon-vd"],
    ["a local name with its postcode", "Hotel Krone, 1234 Lyon", "lyon-vd (town)"],
    ["a local name and a canton that is a town as well", "Wengen, Zürich", "wengen-zh"],
    ["names that only folding makes one, to the letter", "Brügg", "brugg-be"],
    ["the same without its umlaut", "Brugg", "brugg"],
    ["the same in a street address", "Hotel Rotes Haus, BRUGG", "brugg (town)"],
    ["the same written as neither", "Bruegg", "unclear: Brugg | Brügg BE"],
    ["a far city", "Paris", "outside: Paris"],
    ["a far city by another name", "nyc", "outside: New York"],
    ["an address in a far city", "Rue de Rivoli 1, Paris, France", "outside: Paris"],
    ["a far namesake of a place of ours", "Geneva, New York", "outside: New York"],
    ["a far station named after a place of ours", "Gare de Lyon", "outside: Paris"],
    ["a station in a far city", "Paris Bahnhof", "outside: Paris"],
    ["one letter off a name", "Zermat", "unclear: Zermatt"],
    ["two letters swapped", "Zermtat", "unclear: Zermatt"],
    ["one letter off, with the country", "Zermat, Switzerland", "unclear: Zermatt, Switzerland"],
    ["one letter off, with a hotel", "Hotel Bellevue, Zermat", "unclear: Hotel Bellevue, Zermatt"],
    ["one letter off, in a country where it is not", "Zermat, Germany", "unclear: "],
    ["a misspelled site", "Flughafen Zurch", "unclear: Zurich Airport"],
    [
      "a hotel whose name ends with its place",
      "Grand Hotel Zermatterhof Zermatt",
      "unclear: Grand Hotel Zermatterhof, Zermatt",
    ],
    [
      "the same with the country",
      "Grand Hotel Zermatterhof Zermatt Schweiz",
      "unclear: Grand Hotel Zermatterhof, Zermatt Schweiz",
    ],
    ["a terminal of an airport", "Zurich Airport Terminal 2", "zurich-airport"],
    ["a terminal before its airport", "Terminal 2, Flughafen Zürich", "zurich-airport"],
    ["a place with more behind it", "Zermatt Matterhornblick", "unclear: Zermatt, Matterhornblick"],
    ["a hotel that ends with a place elsewhere", "Hotel Zermatt, 8001", "unclear: "],
    ["the postcode of a neighbor", "Flughafenstrasse 1, 8058 Zürich", "unclear: Zurich Airport"],
    ["a word that only holds a name", "Zermatterhof", "unclear: "],
    ["one letter off two names", "Derbier", "unclear: "],
    ["one letter off a name of five", "Tasxh", "unclear: "],
    ["a name that sounds like another", "Aesch", "unclear: "],
    ["a name within a name", "Längenfeld", "unclear: "],
    ["another village", "Le Gua", "unclear: "],
    ["the word for a station alone", "Bahnhof", "unclear: "],
  ];
  for (const [what, text, expected] of CASES) test(`${what}: ${text}`, () => assert.equal(found(text), expected));
});

suite("a station that is not in the catalog resolves to its town", () => {
  const TEXTS = ["Bahnhof Zermatt", "Zermatt Bahnhof", "Gare de Zermatt", "Zermatt Gare", "Zermatt station"];
  const MORE = ["Zermatt railway station", "Train station Zermatt", "Stazione di Zermatt", "Bahnhof Zermatt, VS"];
  for (const text of [
    ...TEXTS,
    ...MORE,
    "3920 Bahnhof Zermatt".replace("3920 ", ""),
    "Zermatt Hauptbahnhof",
    "Zermatt HB",
  ]) {
    test(text, () => assert.equal(found(text), "zermatt (town)"));
  }
  test("the station of several namesakes is ambiguous", () => {
    assert.equal(found("Bahnhof Wil"), "unclear: Wil, SG | Wil, ZH");
    assert.equal(found("Bahnhof Wil, SG"), "wil-sg (town)");
  });
  test("a name that only begins like the word is unchanged", () => {
    assert.equal(found("Bahnhofzermatt"), "unclear: ");
    assert.equal(found("Garezermatt"), "unclear: ");
  });
});

suite("candidates resolve when sent back unchanged", () => {
  test("distinguish namesakes by canton", () => {
    assert.equal(found("Wil"), "unclear: Wil, SG | Wil, ZH");
    assert.deepEqual(["Wil, SG", "Wil, ZH"].map(found), ["wil-sg", "wil-zh"]);
  });
  test("distinguish places that share an alias by name", () => {
    assert.equal(found("Freiburg"), "unclear: Freiburg im Breisgau | Fribourg");
  });
  test("give coordinates for namesakes that nothing else distinguishes", () => {
    assert.equal(found("Twin"), "unclear: 46.5, 8 | 46.1, 8");
  });
  test("are at most five", () => {
    assert.equal(found("Many"), "unclear: Many Ax | Many Bx | Many Cx | Many Dx | Many Ex");
  });
});
