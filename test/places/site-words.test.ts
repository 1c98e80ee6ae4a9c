import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { fold } from "../../src/places/index/fold.ts";
import { siteName, withoutStationWord } from "../../src/places/index/site-words.ts";

suite("a site has one canonical name in every language", () => {
  const STATIONS = [
    "Chur Station",
    "Chur Railway Station",
    "Train station Chur",
    "Chur main station",
    "Chur Main Railway Station",
    "Bahnhof Chur",
    "Chur Bahnhof",
    "Hauptbahnhof Chur",
    "Chur HB",
    "Chur Hbf",
    "Gare de Chur",
    "Gare Chur",
    "Gare centrale de Chur",
    "Stazione di Chur",
    "Staziun Chur",
  ];
  for (const text of STATIONS) test(text, () => assert.equal(siteName(fold(text)), "chur station"));

  const AIRPORTS = [
    "Bern Airport",
    "Airport Bern",
    "Bern International Airport",
    "Flughafen Bern",
    "Bern-Flughafen",
    "Aéroport de Bern",
    "Aéroport international de Bern",
    "Aeroporto di Bern",
    "Bern Aeroporto",
  ];
  for (const text of AIRPORTS) test(text, () => assert.equal(siteName(fold(text)), "bern airport"));

  const ARTICLES = [
    ["Gare d'Olten", "olten station"],
    ["Gare du Locle", "locle station"],
    ["Gare de La Chaux-de-Fonds", "chaux de fonds station"],
    ["Aéroport d'Annecy", "annecy airport"],
  ] as const;
  for (const [text, site] of ARTICLES) test(text, () => assert.equal(siteName(fold(text)), site));
});

suite("names that are not sites", () => {
  const TEXTS = ["Chur", "Bahnhof", "Airport", "Bahnhofstrasse Chur", "Chur Stationsweg", "Garechur", "Chur Gar"];
  for (const text of TEXTS) {
    test(text, () => {
      assert.equal(siteName(fold(text)), undefined);
      assert.equal(withoutStationWord(fold(text)), fold(text));
    });
  }
  test("an airport is not a station", () => assert.equal(withoutStationWord("bern airport"), "bern airport"));
});
