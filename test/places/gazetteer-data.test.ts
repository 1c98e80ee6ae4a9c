import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import type { PlaceEntry } from "../../src/catalog/places-schema.ts";
import { crowFliesKm } from "../../src/places/geo.ts";
import { fold } from "../../src/places/index/fold.ts";
import { createGazetteer } from "../../src/places/index/gazetteer.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const catalog = loadCatalog(DEFAULT_CATALOG);
const { places, farCities } = catalog;
const { geocode, placesNamed, byId } = createGazetteer(catalog);

function idOf(text: string): string {
  const answer = geocode(text);
  return answer.kind === "place" ? answer.place.id : `${answer.kind} ${JSON.stringify(answer)}`;
}

/** The place that a text names, or its candidates. */
function geocodedPlaces(text: string): readonly PlaceEntry[] {
  const answer = geocode(text);
  if (answer.kind === "place") return [answer.place];
  return answer.kind === "unclear" ? answer.candidates.flatMap((candidate) => byId(idOf(candidate)) ?? []) : [];
}

/** The text names this place, or is ambiguous and returns it as a candidate. */
function assertMeans(text: string, place: PlaceEntry): void {
  const answer = geocode(text);
  if (answer.kind === "place") {
    assert.deepEqual([answer.place.id, answer.atItsTown], [place.id, false], text);
    return;
  }
  assert.equal(answer.kind, "unclear", `${text}: ${JSON.stringify(answer)}`);
  if (answer.kind !== "unclear") return;
  assert.ok(answer.candidates.length >= 2 && answer.candidates.length <= 5, text);
  const offered = answer.candidates.map(idOf);
  assert.equal(new Set(offered).size, offered.length, `${text}: ${offered}`);
  assert.ok(offered.includes(place.id), `${text} returns ${offered} and not ${place.id}`);
}

suite("the embedded places", () => {
  test("are at least 500, with at least 200 far cities", () => {
    assert.ok(places.length >= 500, `${places.length} places`);
    assert.ok(farCities.length >= 200, `${farCities.length} far cities`);
    assert.ok(places.filter(({ main }) => main).length >= 120);
  });

  test("lie in the service area, and Swiss ones have a canton", () => {
    const { box, countries } = catalog.serviceArea;
    for (const { id, country, canton, lat, lng } of places) {
      assert.ok(lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east, id);
      assert.ok(countries.includes(country), id);
      assert.equal(canton !== undefined, country === "CH", id);
    }
  });

  test("each have a postcode of their country's length", () => {
    const lengths: Readonly<Record<string, number>> = { CH: 4, LI: 4, AT: 4, FR: 5, DE: 5, IT: 5 };
    for (const { id, country, postcodes } of places) {
      assert.ok(postcodes.length > 0, id);
      for (const postcode of postcodes) assert.equal(postcode.length, lengths[country], `${id} ${postcode}`);
    }
  });

  test("have unique IATA codes, with all airports that transfers use", () => {
    const codes = places.flatMap(({ iata }) => iata ?? []);
    assert.equal(new Set(codes).size, codes.length);
    const needed = "ZRH GVA BSL BRN SIR LUG ACH SMV MXP LIN BGY TRN LYS CMF GNB FDH FMM MUC INN".split(" ");
    assert.deepEqual(
      needed.filter((code) => !codes.includes(code)),
      [],
    );
  });

  test("are each found by every name and alias, or are ambiguous", () => {
    for (const place of places) for (const name of [place.name, ...place.aliases]) assertMeans(name, place);
  });

  test("are each found by their name in capitals and without accents", () => {
    for (const place of places) {
      assertMeans(place.name.toUpperCase(), place);
      assertMeans(place.name.normalize("NFD").replace(/\p{M}/gu, ""), place);
    }
  });

  test("are each found by their IATA code", () => {
    for (const { id, iata } of places) {
      if (iata) assert.deepEqual([idOf(iata), idOf(iata.toLowerCase())], [id, id]);
    }
  });

  test("are each found by name and canton or country, or are ambiguous", () => {
    for (const place of places) assertMeans(`${place.name}, ${place.canton ?? place.country}`, place);
  });

  test("are each found by their local name beside canton or postcode, but not by it alone", () => {
    const local = places.filter(({ localName }) => localName !== undefined);
    assert.ok(local.length >= 30, `${local.length} local names`);
    for (const place of local) {
      const { localName = "", canton, country, postcodes } = place;
      for (const text of [`${localName}, ${canton ?? country}`, `${postcodes[0]} ${localName}`])
        assertMeans(text, place);
      assert.ok(!geocodedPlaces(localName).includes(place), `${localName} alone`);
      assert.ok(geocodedPlaces(localName).length > 0, `${localName} names no other place, so it should be an alias`);
      assert.ok(placesNamed(localName).includes(place), `a label ${localName} may stand at ${place.id}`);
    }
  });

  test("are distinguished by spelling only where folding merges two names", () => {
    const spellings = new Map<string, Set<string>>();
    for (const { name, aliases } of places)
      for (const spelling of [name, ...aliases]) {
        const known = spellings.get(fold(spelling)) ?? new Set();
        spellings.set(fold(spelling), known.add(spelling.toLowerCase()));
      }
    const decided = [...spellings.values()].filter((some) => {
      const answers = [...some].map((spelling) =>
        geocodedPlaces(spelling)
          .map(({ id }) => id)
          .join(),
      );
      return new Set(answers).size > 1;
    });
    assert.deepEqual(decided.map((some) => [...some].sort()).sort(), [
      ["brugg", "brügg"],
      ["munster", "münster"],
      ["neuenkirch", "neunkirch"],
      ["uezwil", "uzwil"],
    ]);
  });

  test("share no name with a far city", () => {
    for (const { name, lat, lng, aliases } of farCities) {
      for (const text of [name, ...aliases]) assert.deepEqual(geocode(text), { kind: "outside", name, lat, lng }, text);
    }
  });

  for (const [text, id] of [
    ["Zurich Airport (ZRH)", "zurich-airport"],
    ["ZRH Zurich Airport", "zurich-airport"],
    ["Geneva (GVA)", "geneva-airport"],
    ["Milan Malpensa", "milan-malpensa-airport"],
    ["Mailand Malpensa", "milan-malpensa-airport"],
    ["Milano MXP", "milan-malpensa-airport"],
    ["Milano Linate", "milan-linate-airport"],
    ["Bahnhof Bern", "bern-station"],
    ["Gare de Berne", "bern-station"],
    ["Basel HB", "basel-sbb"],
    ["Gare Cornavin", "geneva-cornavin"],
    ["Bahnhof, 7270 Davos Platz", "davos-platz-station"],
    ["Gare de Viège", "visp-station"],
    ["Stazione di Coira", "chur-station"],
    ["Freiburg Hbf", "freiburg-im-breisgau-hbf"],
    ["Aéroport de Bâle-Mulhouse", "basel-euroairport"],
    ["Aeroporto di Zurigo", "zurich-airport"],
    ["Flughafen Mailand-Malpensa", "milan-malpensa-airport"],
    ["Genève Aéroport Bahnhof", "geneva-airport"],
    ["8050 Oerlikon", "zurich-oerlikon-station"],
    ["Zug SBB", "zug-station"],
    ["Lausanne, Gare CFF", "lausanne-station"],
    ["Milan Malpensa Airport (MXP), Milan, Italy", "milan-malpensa-airport"],
    ["MXP, Milan, Italy", "milan-malpensa-airport"],
    ["Munich Airport (MUC), Munich, Germany", "munich-airport"],
    ["ZRH, Zurich, Switzerland", "zurich-airport"],
    ["Zurich Airport (ZRH), Switzerland", "zurich-airport"],
    ["Belp, Bern", "belp"],
    ["Agno, Lugano", "agno"],
    ["Lindau, Canton of Zürich", "lindau-zh"],
    ["Wohlen, Kt. Bern", "wohlen-be"],
    ["Romont, Canton de Berne", "romont-be"],
    ["Roveredo, Cantone Ticino", "roveredo-ti"],
    ["Wil, Canton of St. Gallen", "wil-sg"],
    ["Oberwil, Simmental", "oberwil-im-simmental"],
    ["Sils, Domleschg", "sils-im-domleschg"],
    ["AT-6764 Lech", "lech"],
    ["3920 Zermatt VS Switzerland", "zermatt"],
    ["Zermatt, Valais/Wallis, Schweiz/Suisse/Svizzera/Svizra", "zermatt"],
    ["Zürich ZH", "zurich"],
    ["Lausanne VD", "lausanne"],
    ["Basel CH", "basel"],
    ["Buchs 9470", "buchs-sg"],
    ["8000 Zürich", "zurich"],
    ["6000 Luzern", "lucerne"],
    ["1211 Genève", "geneva"],
    ["Val-de-Ruz", "cernier"],
    ["Val-de-Travers", "fleurier"],
    ["Val de Bagnes", "le-chable"],
    ["Glarus Nord", "nafels"],
    ["Milan Malpensa T1", "milan-malpensa-airport"],
    ["Milan, Malpensa Airport Terminal 1", "milan-malpensa-airport"],
    ["ZRH Terminal 1", "zurich-airport"],
    ["Geneva Airport, Terminal 1", "geneva-airport"],
    ["GVA T2", "geneva-airport"],
    ["ＺＲＨ", "zurich-airport"],
    ["T\u2060äsch", "tasch"],
    ["Zürich\u00a0HB", "zurich-hb"],
    ["Lenzerheide (Lai)", "lenzerheide"],
    ["crans  montana", "crans-montana"],
    ["Wengen, 3822 Lauterbrunnen", "wengen"],
  ] as const) {
    test(`are found as people write them: ${text}`, () => {
      const found = geocode(text);
      assert.equal(found.kind === "place" && found.place.id, id, JSON.stringify(found));
    });
  }

  for (const text of ["Inselspital Bern", "ETH Zürich", "Bern Inselspital", "The Dolder Grand Zürich"]) {
    test(`candidates keep every word of ${text}`, () => {
      const { candidates = [] } = geocode(text) as { candidates?: readonly string[] };
      assert.deepEqual(
        candidates.map((candidate) => candidate.replace(",", "")),
        [text],
      );
      assert.equal(geocode(candidates[0] ?? "").kind, "place");
    });
  }

  for (const [text, ids] of [
    ["St Moritz, Zermatt", "st-moritz zermatt"],
    ["Davos, Zuerich", "davos zurich"],
    ["Gare de Genève, Lausanne", "geneva-cornavin lausanne"],
    ["Zurich GVA", ""],
    ["Zermatt Inn", ""],
    ["Zurich T2", "zurich zurich-airport"],
    ["Intrlakn", "interlaken"],
    ["Zermat", "zermatt"],
    ["Zermtat", "zermatt"],
    ["Zermat, Germany", ""],
    ["Flughafen Zurch", "zurich-airport"],
    ["Sankt Morits", "st-moritz"],
    ["Gstad Bahnhoff", ""],
    ["Hilton Munich Airport, Munich", "munich munich-airport"],
    ["Airport, Zermatt", "zermatt"],
    ["Zurich Airport, Zug", "zug zurich-airport"],
    ["Geneva Airport, Lausanne", "geneva-airport lausanne"],
    ["Bergamo, Milan", "bergamo milan"],
    ["Spiez, Interlaken", "interlaken spiez"],
    ["Sion, Arc 1950", "arc-1950 sion"],
    ["Nordallee 25, 85356 München", "munich-airport"],
    ["Bahnhofstrasse 1, 8400 Zürich", ""],
    ["Les Arcs 1700", ""],
    ["Villeneuve, Haute-Savoie", ""],
    ["Cham, Bayern", ""],
    ["Geneva, Illinois", ""],
    ["Montana, USA", ""],
    ["Baden bei Wien", ""],
    ["Zermatt, Canton of Bern", ""],
  ] as const) {
    test(`are candidates where a text is ambiguous or unknown: ${text}`, () => {
      assert.equal(geocode(text).kind, "unclear");
      assert.equal(
        geocodedPlaces(text)
          .map(({ id }) => id)
          .sort()
          .join(" "),
        ids,
      );
    });
  }

  for (const text of [
    "CDG",
    "Paris Airport",
    "Flughafen Wien",
    "Aéroport de Nice",
    "LHR",
    "FRA",
    "STR",
    "VIE",
    "75001 Paris",
    "Hotel Ritz, 75001 Paris",
    "Ancona",
    "Washington D.C.",
  ]) {
    test(`do not include ${text}`, () => assert.equal(geocode(text).kind, "outside"));
  }

  test("are more than 5 km from every far city", () => {
    for (const { name, lat, lng } of farCities) {
      const near = places.find((place) => crowFliesKm(place, { lat, lng }) < 5);
      assert.equal(near?.id, undefined, name);
    }
  });
});

suite("names that were resolved wrongly before", () => {
  const CASES: readonly (readonly [string, string])[] = [
    ["GVA", "geneva-airport"],
    ["gva", "geneva-airport"],
    ["Genf", "geneva"],
    ["Genève", "geneva"],
    ["Ginevra", "geneva"],
    ["Flughafen Zürich", "zurich-airport"],
    ["Zürich Flughafen", "zurich-airport"],
    ["Aéroport de Genève", "geneva-airport"],
    ["Täsch", "tasch"],
    ["Taesch", "tasch"],
    ["Basel", "basel"],
    ["Bâle", "basel"],
    ["Mailand", "milan"],
    ["Coira", "chur"],
    ["Sankt Moritz", "st-moritz"],
    ["Saint-Moritz", "st-moritz"],
    ["Sitten", "sion"],
    ["Luzern", "lucerne"],
    ["Freiburg, Deutschland", "freiburg-im-breisgau"],
    ["Freiburg, CH", "fribourg"],
    ["1700 Freiburg", "fribourg"],
    ["Wil, SG", "wil-sg"],
    ["9500 Wil", "wil-sg"],
    ["Zürich HB", "zurich-hb"],
    ["Bahnhofplatz 1, 6003 Luzern, Schweiz", "lucerne"],
    ["Lenzerheide/Lai", "lenzerheide"],
    ["Brienz/Brinzauls", "brienz-gr"],
    ["Gare de Verbier", "verbier"],
    ["Laax station", "laax"],
    ["Stazione di Faido", "faido"],
  ];
  for (const [text, id] of CASES) test(`${text} is ${id}`, () => assert.equal(idOf(text), id));

  for (const text of ["Freiburg", "Aesch", "Wil", "Brienz", "Buchs", "Milan Airport", "Bahnhof Interlaken"]) {
    test(`${text} is ambiguous, and every candidate resolves`, () => {
      const answer = geocode(text);
      assert.ok(answer.kind === "unclear" && answer.candidates.length >= 2, JSON.stringify(answer));
      for (const candidate of answer.candidates) assert.equal(geocode(candidate).kind, "place", candidate);
    });
  }

  test("Täsch is no candidate for Aesch, and Le Gua and Längenfeld have none", () => {
    assert.ok(!JSON.stringify(geocode("Aesch")).includes("Täsch"));
    for (const text of ["Le Gua", "Längenfeld"]) assert.deepEqual(geocode(text), { kind: "unclear", candidates: [] });
  });
});

suite("texts without a place", () => {
  const TEXTS: Readonly<Record<string, string>> = {
    empty: "",
    blank: " \t\u00a0\u3000 ",
    "512 letters": "x".repeat(512),
    "512 spaces": " ".repeat(512),
    "512 commas": ",".repeat(512),
    "512 digits": "8".repeat(512),
    "170 words": "ab ".repeat(170),
    "128 comma parts": "ab, ".repeat(128),
    "128 postcodes": "800, ".repeat(102),
    "NUL and control characters": "\u0000\u0001\u001b[31m",
    emoji: "🚕✈️🏔️",
    "right to left": "\u202eمطار زيورخ\u202c",
    "a lone surrogate": "\ud83d",
    "names of object members": "constructor",
    "a prototype": "__proto__",
    punctuation: "'; DROP TABLE places; --",
    "a path": "../../etc/passwd",
    "combining marks": `a${"\u0301".repeat(511)}`,
  };
  for (const [what, text] of Object.entries(TEXTS)) {
    test(`${what}: rejected without candidates`, () => {
      assert.deepEqual(geocode(text), { kind: "unclear", candidates: [] });
    });
  }

  test("are rejected within milliseconds, also when made to be slow", () => {
    const slow = [
      "Zürich, ".repeat(64),
      "Wil, ".repeat(102),
      "8001 Zürich,".repeat(42),
      "Bahnhof ".repeat(64),
      "zermatx, ".repeat(56),
    ];
    for (const text of [...Object.values(TEXTS), ...slow]) {
      const times = Array.from({ length: 5 }, () => {
        const started = performance.now();
        geocode(text);
        return performance.now() - started;
      });
      assert.ok(Math.min(...times) < 20, `${text.slice(0, 20)} took ${Math.min(...times)} ms`);
    }
  });
});
