import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  createGeocodedPlaceFinder,
  type GeocodedPlaceFinderParts,
} from "../../../src/adapters/geocoders/geocoded-place-finder.ts";
import type { GeocodedPlace } from "../../../src/adapters/geocoders/geocoder.ts";
import { upstreamUnavailable } from "../../../src/contract/errors.ts";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { createEmbeddedPlaceFinder } from "../../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../../src/domain/places/gazetteer.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { refusalOf } from "../../support/quoting-fixture.ts";

const catalog = loadCatalog(packagedCatalog);
const gazetteer = createGazetteer(catalog);
const { serviceArea, words } = catalog;
const embedded = createEmbeddedPlaceFinder(gazetteer, serviceArea);
const never = new AbortController().signal;

const ZURICH_1: GeocodedPlace = {
  label: "Bahnhofstrasse 1, 8001 Zürich, Switzerland",
  lat: 47.3668,
  lng: 8.5396,
  country: "CH",
  kind: "address",
  town: "8001 Zürich",
  within: ["City", "Kreis 1", "Bezirk Zürich", "Zurich"],
};

function place(label: string, lat: number, lng: number, over: Partial<GeocodedPlace> = {}): GeocodedPlace {
  const town = label.split(", ").at(-2) ?? "";
  return { ...ZURICH_1, label, lat, lng, town, within: [], ...over };
}

/** A finder whose geocoder knows these places, whatever it is asked; `asked` are the texts it saw. */
function aFinder(known: Known, options: Partial<GeocodedPlaceFinderParts> = {}) {
  const asked: string[] = [];
  const geocoder = {
    async search(text: string) {
      asked.push(text);
      return typeof known === "function" ? known(text) : known;
    },
    async ping() {},
  };
  const finder = createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea, words, ...options });
  return { asked, finder, find: (text: string) => finder.find(text, never) };
}

type Known = readonly GeocodedPlace[] | ((text: string) => readonly GeocodedPlace[]);

/** What a text means beside a geocoder with these places: "46.9, 7.4", or a question such as "similar? A | B". */
async function meaningOf(known: Known, text: string): Promise<string> {
  const location = await aFinder(known).find(text);
  if (location.kind === "found") return `${location.place.lat}, ${location.place.lng}`;
  return location.kind === "question" ? `${location.reason}? ${location.candidates.join(" | ")}` : location.kind;
}

/** Tests of what texts mean; a place stands for its position. */
function reads(rows: readonly (readonly [why: string, Known, text: string, meaning: string | GeocodedPlace])[]): void {
  for (const [why, known, text, meaning] of rows)
    test(`${why}: ${text}`, async () => {
      const expected = typeof meaning === "string" ? meaning : `${meaning.lat}, ${meaning.lng}`;
      assert.equal(await meaningOf(known, text), expected);
    });
}

test("a geocoder that takes too long is unavailable, and a caller that leaves is not told so", async () => {
  const geocoder = {
    search: (_: string, signal: AbortSignal) => pause(60_000, undefined, { signal }) as Promise<never>,
    async ping() {},
  };
  const finder = createGeocodedPlaceFinder({ embedded, gazetteer, geocoder, serviceArea, words, deadlineMs: 50 });
  const { detail } = await refusalOf(finder.find("Bahnhofstrasse 1, Zürich", never), "UPSTREAM_UNAVAILABLE");
  assert.equal(detail, "The geocoder did not respond in time.");
  const leaving = new AbortController();
  const call = finder.find("Bahnhofstrasse 1, Zürich", leaving.signal);
  leaving.abort(new Error("gone"));
  await assert.rejects(call, (error) => error instanceof Error && error.name === "AbortError");
});

suite("geocoded places: names in the catalog", () => {
  test("resolve without a call to the geocoder", async () => {
    const { asked, find } = aFinder([ZURICH_1]);
    for (const text of ["ZRH", "Zermatt", "Flughafen Zürich", "Wengen", "47.4515, 8.5646", "Paris", "Chur, GR"]) {
      assert.deepEqual(await find(text), await embedded.find(text, never), text);
    }
    assert.deepEqual(asked, []);
  });

  const kusnacht = place("Seestrasse 120, 8700 Küsnacht, Switzerland", 47.318, 8.584);
  const allegra = place("Allegra Zurich Airport, The Circle 39, 8058 Kloten, Switzerland", 47.449, 8.563);
  const respelt = place("Seestr. 120, Küsnacht", 47.318, 8.584, { town: "8700 Küsnacht" });
  const paris = place("Seestrasse 120, Küsnacht, France", 48.85, 2.35, { country: "FR" });
  const both = "Küsnacht ZH | Küssnacht am Rigi";
  reads([
    [
      "in one of several towns is a candidate",
      [kusnacht],
      "Seestrasse 120, Küsnacht",
      `address? ${kusnacht.label} | ${both}`,
    ],
    ["a label of that resolves", [kusnacht], kusnacht.label, kusnacht],
    ["a label of an airport's hotel resolves", [allegra], allegra.label, allegra],
    [
      "a candidate that its label does not find is a position",
      (text) => (/seestr\./i.test(text) ? [kusnacht] : [respelt]),
      "Seestrasse 120, Küsnacht",
      `address? 47.31800, 8.58400 | ${both}`,
    ],
  ]);

  test("an address abroad changes nothing, and one beside an airport is a candidate", async () => {
    const text = "Seestrasse 120, Küsnacht";
    assert.deepEqual(await aFinder([paris]).find(text), await embedded.find(text, never));
    assert.ok((await meaningOf([allegra], "Allegra Zurich Airport, Zürich")).includes(`? ${allegra.label}`));
  });

  test("texts without letters and texts too long for an address are not sent to the geocoder", async () => {
    const { asked, find } = aFinder([ZURICH_1]);
    for (const text of ["", " ", "12345", "???", "999, 999", "a".repeat(257), "x, ".repeat(170)]) {
      const location = await find(text);
      assert.ok(location.kind !== "found", text);
    }
    assert.deepEqual(asked, []);
  });
});

suite("geocoded places: addresses", () => {
  test("a street in a town is placed at the street, not at its town", async () => {
    const { asked, find } = aFinder([ZURICH_1]);
    const location = await find("Bahnhofstrasse 1, Zürich");
    const { label: name, lat, lng } = ZURICH_1;
    const inZurich = { id: "zurich", kind: "town", town: { name: "Zürich" }, roadNode: "zurich", isPosition: true };
    const place = { ...inZurich, name, postcode: "8001", country: "CH", canton: "ZH", lat, lng };
    assert.deepEqual(location, { kind: "found", place, carStop: place, notes: [] });
    assert.deepEqual(asked, ["Bahnhofstrasse 1, Zürich"]);
  });

  test("an address beyond a border is in its own country, and not in that of the nearest town", async () => {
    const found = await aFinder([place("Xyzzy Manor, 78266 Büsingen, Germany", 47.697, 8.69, { country: "DE" })]).find(
      "Xyzzy Manor, 78266 Büsingen, Germany",
    );
    assert.ok(found.kind === "found", JSON.stringify(found));
    const { town, country, canton } = found.place;
    assert.deepEqual([town.name, country, canton], ["Schaffhausen", "DE", undefined]);
  });

  const verbier = place("Z Verbier, Rue de Médran 70, 1936 Val de Bagnes, Switzerland", 46.097, 7.229, {
    within: ["Verbier", "Val de Bagnes", "Entremont", "Valais/Wallis"],
  });
  const bristol = place("Hotel Bristol, Rue du Mont-Blanc 10, 1201 Geneva, Switzerland", 46.2085, 6.1466, {
    within: ["Pâquis", "Genève", "GE"],
  });
  const munsingen = place("Hauptstrasse 5, 3110 Münsingen, Switzerland", 46.874, 7.561, {
    within: ["Verwaltungskreis Bern-Mittelland", "Bern/Berne"],
  });
  const blumenstein = place("Dorfstrasse 1, 3638 Blumenstein, Switzerland", 46.741, 7.521, {
    within: ["Verwaltungskreis Thun", "Bern/Berne"],
  });
  const nyon = place("Rue de Lausanne 10, 1260 Nyon, Switzerland", 46.385, 6.239, { within: ["Vaud"] });
  const inFrance = { country: "FR", within: ["Haute-Savoie"] };
  const chamonix = place("Hôtel Beausoleil, 74400 Chamonix, France", 45.923, 6.869, inFrance);
  const arosa = place("Hotel Beausoleil, 7050 Arosa, Switzerland", 46.78, 9.68, { within: ["Grisons"] });
  const inTheCity = { within: ["Kreis 1"] };
  const kings = place("Hotel 3 Könige, Seestrasse 99, 8001 Zürich, Switzerland", 47.36, 8.53, inTheCity);
  const ruschlikon = place("Seestrasse 1, 8803 Rüschlikon, Switzerland", 47.32, 8.56);

  // biome-ignore format: several fit on a line
  const ACCEPTED: readonly (readonly [why: string, GeocodedPlace, texts: readonly string[]])[] = [
    ["abbreviations, other languages, postcode, canton and country", ZURICH_1, [
      "Bahnhofstr. 1, Zürich", "bahnhofstrasse 1 zuerich", "Bahnhofstrasse 1, Zurigo", "8001 Zürich, Bahnhofstrasse 1",
      "Bahnhofstrasse 1, CH-8001 Zürich", "Bahnhofstrasse 1, Zürich, ZH, Schweiz",
    ]],
    ["a canton beside its town", munsingen, [
      "Hauptstrasse 5, Münsingen, Bern", "Hauptstrasse 5, 3110 Münsingen BE", "Hauptstrasse 5, Münsingen, Kanton Bern",
    ]],
    ["its country, region or postcode", chamonix, [
      "Hotel Beausoleil, France", "Hotel Beausoleil, Haute-Savoie", "Hotel Beausoleil, 74400",
    ]],
    ["its canton in another language", arosa, ["Hotel Beausoleil, Graubünden"]],
    ["a number in a name, and beside its street", kings, [
      "3 Könige, Zürich", "Seestrasse 99, Zürich", "seestrasse 99 8001 zuerich",
    ]],
    ["a village in its municipality", verbier, [
      "Z Verbier, Rue de Médran 70, 1936 Verbier", "The Z Verbier, 1936 Verbier VS", "Z Verbier, Verbier Schweiz",
    ]],
    ["a name or a street in a town", bristol, [
      "Hotel Bristol Genève", "Rue du Mont-Blanc 10 1201 Genève", "R. du Mont-Blanc 10, 1201 Genf, GE",
      "Hotel Bristol, Genève, Suisse",
    ]],
    ["a letter of a house", place("Chemin de la Gare 12a, 1200 Geneva, Switzerland", 46.2, 6.14), ["Ch. de la Gare 12 A, Genève"]],
    ["a square", place("Bahnhofplatz 11, 3011 Bern, Switzerland", 46.948, 7.439), ["Bahnhofpl. 11, CH-3011 Bern"]],
  ];
  for (const [why, known, texts] of ACCEPTED) reads(texts.map((text) => [`accepts ${why}`, [known], text, known]));

  // biome-ignore format: several fit on a line
  const SIMILAR: readonly (readonly [why: string, GeocodedPlace, texts: readonly string[]])[] = [
    ["another house, another street and a typing error", ZURICH_1, [
      "Bahnhofstrasse 7, Zürich", "Bahnhofweg 1, Zürich", "Bahnhofstrase 1, Zürich",
    ]],
    ["a canton or district of a town's name", munsingen, ["Hauptstrasse 5, Bern", "Hauptstrasse 5, 3011 Bern"]],
    ["a country or canton that the address is not in", chamonix, [
      "Hotel Beausoleil, Switzerland", "Hotel Beausoleil, GR", "Hotel Beausoleil, USA",
    ]],
    ["a street in a neighboring town, which geocoders return for a missing street", ruschlikon, [
      "Seestrasse 1, 8700 Küsnacht", "Seestrasse 1, Küsnacht ZH",
    ]],
  ];
  for (const [why, known, texts] of SIMILAR)
    reads(texts.map((text) => [`returns as a candidate only: ${why}`, [known], text, `similar? ${known.label}`]));

  // biome-ignore format: several fit on a line
  const REFUSED: readonly (readonly [GeocodedPlace, string])[] = [
    [blumenstein, "Dorfstrasse 1, Thun"], [nyon, "Rue de Lausanne 10, Genève"], [arosa, "Hotel Beausoleil, Ticino"],
    [kings, "Seestrasse 3, Zürich"], [kings, "Seestrasse 1, Zürich"], [bristol, "Hôtel Mont-Blanc, Genève"],
    [place("Hotel Beausoleil, 7050 Arosa", 46.78, 9.68, { country: null }), "Hotel Beausoleil, Ontario"],
    [bristol, "Hotel, Genève"], [bristol, "Hotel Suisse, Genève"],
    [place("Seestrasse 1, 8124 Maur, Switzerland", 47.34, 8.668), "Seestrasse 1, 8700 Küsnacht"],
    [place("Avenue de la Gare 5, 1200 Geneva, Switzerland", 46.2, 6.14), "Ch. de la Gare 5, Genève"],
    [place("Hilton Garden Inn Davos, Promenade 40, 7250 Klosters, Switzerland", 46.87, 9.88), "Promenade 40, Davos"],
    [place("Zurich Versicherung, Bahnhofstrasse 1, 8500 Frauenfeld, Switzerland", 47.557, 8.898), "Bahnhofstrasse 1 Zürich"],
  ];
  for (const [known, text] of REFUSED)
    test(`does not accept another place for ${text}`, async () => {
      assert.notEqual((await aFinder([known]).find(text)).kind, "found");
    });

  const bern = place("Bahnhofstrasse 1, 3011 Bern, Switzerland", 46.9489, 7.4404);
  reads([["rejects a street of the same name far from the named town", [bern], "Bahnhofstrasse 1, Zürich", "unknown"]]);

  test("a result in a car-free place stops at its car stop, with the connection", async () => {
    const wengen = gazetteer.locations.byId("wengen");
    assert.ok(wengen?.carFree);
    const hotel = place("Hotel Alpenrose, 3823 Lauterbrunnen, Switzerland", wengen.lat + 0.001, wengen.lng, {
      within: ["Wengen"],
    });
    const location = await aFinder([hotel]).find("Hotel Alpenrose, Wengen");
    assert.ok(location.kind === "found");
    assert.equal(location.carStop.id, wengen.carFree.carStop);
    assert.equal(location.connection?.name, "Wengen");
  });
});

suite("geocoded places: several and none", () => {
  const here = place("Seestrasse 5, 8002 Zürich, Switzerland", 47.36, 8.53);
  const there = place("Seestrasse 5, 8700 Küsnacht, Switzerland", 47.318, 8.584);
  const twin = { ...here, lat: 47.4 };
  const misread = place("Zermatt", 46.95, 7.44, { within: ["Sonnenhof"] });
  const sonnenhof = place("Sonnenhof, 3000 Bern, Switzerland", 46.93, 7.48);
  const hof = place("Hof, Switzerland", 46.9, 7.5, { kind: "place", town: "" });
  const farHof = place("Hof, Switzerland", 47.2, 8.9, { kind: "place", town: "" });
  const hamlet = place("Weiler 3, 3999 Irgendwo, Switzerland", 46.5, 7.9);
  const area = place("Xyzzy Manor, Switzerland", 46.5, 7.5, { kind: "area" });
  const zermat = place("Zermat, Switzerland", 46.9, 7.1, { kind: "place" });
  const near = place("Xyzzy Manor, Switzerland", 46.5, 7.5);
  const slovenian = place("Xyzzy Manor, Slovenia", 46.2, 12.3, { country: "SI" });
  const paris = place("Xyzzy Manor, France", 48.85, 2.35, { country: "FR" });
  const unlike = place("Something else, Slovenia", 46.2, 12.3, { country: "SI" });

  reads([
    ["several results are candidates", [here, there], "Seestrasse 5", `name? ${here.label} | ${there.label}`],
    ["the first candidate resolves", [here, there], here.label, here],
    ["the second candidate resolves", [here, there], there.label, there],
    [
      "namesakes under one label are positions",
      [here, twin],
      "Seestrasse 5",
      "name? 47.36000, 8.53000 | 47.40000, 8.53000",
    ],
    ["a position resolves", [here, twin], "47.40000, 8.53000", "47.4, 8.53"],
    [
      "a label that the catalog resolves otherwise is a position",
      [misread, sonnenhof],
      "Sonnenhof",
      // The other label is that of a clinic in the catalog, which lies elsewhere.
      "name? 46.95000, 7.44000 | 46.93000, 7.48000",
    ],
    [
      "a label of several places is a position",
      (text) => (/gasthof/i.test(text) ? [hof] : [hof, farHof]),
      "Gasthof Engel, Hof",
      "similar? 46.90000, 7.50000",
    ],
    [
      "a label that the geocoder does not find is a position",
      (text) => (text.startsWith("Weiler") ? [] : [hamlet]),
      "Haus Weiler",
      "similar? 46.50000, 7.90000",
    ],
    ["a question without a geocoder stays one", [], "Laxx", "similar? Laax"],
    ["results within a kilometer are one", [here, { ...here, lat: here.lat + 0.008 }], "Seestrasse 5, Zürich", here],
    [
      "results farther apart are several",
      [here, { ...here, lat: here.lat + 0.01 }],
      "Seestrasse 5, Zürich",
      "name? 47.36000, 8.53000 | 47.37000, 8.53000",
    ],
    ["no result is unknown", [], "Xyzzy Manor", "unknown"],
    ["a canton or country is no result", [area], "Xyzzy Manor", "unknown"],
    ["the geocoder has a name as it is spelled", [zermat], "Zermat", zermat],
    ["another country is outside", [slovenian], "Xyzzy Manor", "outside"],
    ["a position beyond the box is outside", [paris], "Xyzzy Manor", "outside"],
    ["a place inside comes before one outside", [slovenian, near], "Xyzzy Manor", near],
    ["another name outside is unknown", [unlike], "Xyzzy Manor", "unknown"],
  ]);

  test("the catalog corrects a misspelled name that the geocoder corrects too", async () => {
    const fuzzy = place("Zermatt, Switzerland", 46.02, 7.749, { kind: "place" });
    assert.deepEqual(await aFinder([fuzzy]).find("Zermat"), await embedded.find("Zermat", never));
  });

  test("there are at most five candidates", async () => {
    const many = Array.from({ length: 9 }, (_, n) => place(`Dorf ${n}, Seeweg, Switzerland`, 46.5 + n / 20, 7.5));
    assert.equal((await meaningOf(many, "Seeweg")).split(" | ").length, 5);
  });
});

suite("geocoded places: the geocoder", () => {
  test("is called again for a text that was forgotten beyond the bound", async () => {
    const { asked, find } = aFinder([], { keepAnswers: 3 });
    const texts = ["a", "b", "c", "d"].map((letter) => `Xyzzy ${letter.repeat(8)} Manor`);
    for (const text of [...texts, ...texts.slice(1)]) await find(text);
    assert.deepEqual(asked, texts);
    await find(texts[0] ?? "");
    assert.equal(asked.length, 5);
  });

  test("is called for each spelling, but not for texts with control characters", async () => {
    const { asked, find } = aFinder([]);
    for (const text of ["Hauptstrasse 5, Brugg", "Hauptstrasse 5, Brügg", "Xyzzy\u0000Manor", "Xyzzy\nManor"]) {
      await find(text);
    }
    assert.deepEqual(asked, ["Hauptstrasse 5, Brugg", "Hauptstrasse 5, Brügg"]);
  });

  test("returns its failure to the caller and does not cache it", async () => {
    let isAway = true;
    const { find } = aFinder(() => {
      if (isAway) throw upstreamUnavailable("The geocoder is not available now.");
      return [ZURICH_1];
    });
    await assert.rejects(find("Bahnhofstrasse 1, Zürich"), { code: "UPSTREAM_UNAVAILABLE" });
    isAway = false;
    assert.equal((await find("Bahnhofstrasse 1, Zürich")).kind, "found");
  });
});
