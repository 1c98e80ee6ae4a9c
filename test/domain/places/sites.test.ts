import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { SitesFile } from "../../../src/domain/catalog/places-schema.ts";
import { createEmbeddedPlaceFinder } from "../../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../../src/domain/places/gazetteer.ts";
import { crowFliesKm } from "../../../src/domain/places/geo.ts";
import { fold, namesOf } from "../../../src/domain/places/names.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { recordsOf } from "../../support/csv-records.ts";
import { createReads } from "./reads.ts";

const catalog = loadCatalog(packagedCatalog);
const finder = createEmbeddedPlaceFinder(createGazetteer(catalog), catalog.serviceArea);
const townOf = new Map(catalog.places.map((place) => [place.id, place]));
const { signal } = new AbortController();

/** A stop is beside the site. */
const MOST_METRES = 300;

const find = (text: string) => finder.find(text, signal);
const reads = createReads(find);

suite("sites", () => {
  test("match the schema, lie near their towns and are no two at one position under one name", () => {
    SitesFile.parse({ sites: catalog.sites });
    assert.ok(catalog.sites.length >= 250, String(catalog.sites.length));
    for (const site of catalog.sites) {
      const town = townOf.get(site.town);
      assert.ok(town && crowFliesKm(town, site) < 8, site.name);
    }
    const names = catalog.sites.map(({ name, town }) => `${name} ${town}`);
    assert.equal(new Set(names).size, names.length);
  });

  test("lie where a source has them, where a car drives to them", () => {
    const records = recordsOf(fileURLToPath(new URL("site-sources.csv", import.meta.url)));
    const sourced = new Set<string>();
    for (const row of records) {
      const [name, town, source, record, , lat, lng] = row.split(";");
      const site = catalog.sites.find((each) => each.name === name && each.town === town);
      assert.ok(site, `${name}, ${town} is no site`);
      const metres = Math.round(crowFliesKm(site, { lat: Number(lat), lng: Number(lng) }) * 1000);
      assert.ok(metres <= MOST_METRES, `${name}, ${town} is ${metres} m from ${source} ${record}`);
      sourced.add(`${name}, ${town}`);
    }
    // In a car-free town the car stop decides, not the position of the hotel.
    const others = catalog.sites.filter(({ name, town }) => !sourced.has(`${name}, ${town}`));
    const driven = others.filter(({ town }) => !townOf.get(town)?.carFree).map(({ name }) => name);
    assert.deepEqual(driven, [], "have no row in site-sources.csv");
  });

  test("each is found at its own position and in its own town by its name and its town, in either order, with or without a comma", async () => {
    for (const { name, town, lat, lng } of catalog.sites) {
      const townName = townOf.get(town)?.name;
      const isAlsoPlace = catalog.places.some((place) => place.name === name || place.aliases.includes(name));
      if (isAlsoPlace) continue;
      for (const text of [`${name}, ${townName}`, `${name} ${townName}`, `${townName}, ${name}`]) {
        const location = await find(text);
        assert.ok(location.kind === "found", `${text}: ${JSON.stringify(location)}`);
        const { place } = location;
        assert.deepEqual([place.lat, place.lng, place.town.name], [lat, lng, townName], text);
      }
    }
  });

  test("the coordinates of a site belong to the same place as its name", async () => {
    for (const { name, town, lat, lng } of catalog.sites) {
      const [byName, at] = [await find(`${name}, ${townOf.get(town)?.name}`), await find(`${lat}, ${lng}`)];
      if (byName.kind === "found" && byName.place.isPosition && at.kind === "found")
        assert.equal(byName.place.id, at.place.id, name);
    }
  });
});

reads(
  "a site is found as people write it",
  `Dolder Grand => The Dolder Grand, Zürich
   hotel baur au lac => Baur au Lac, Zürich
   Hôtel Baur au Lac, Talstrasse 1, 8001 Zürich, Suisse => Baur au Lac, Zürich
   Badrutts Palace => Badrutt's Palace, St. Moritz
   Inselspital => Inselspital, Bern
   Inselspital, Freiburgstrasse 18, 3010 Bern => Inselspital, Bern
   Hôpital de l'Île, Berne => Inselspital, Bern
   CERN => CERN, Meyrin
   CERN Geneva => CERN, Meyrin
   Zurich University Hospital => Universitätsspital Zürich
   Ospedale Civico di Lugano => Ospedale Civico, Lugano
   Spital Thun => Spital Thun
   Uni-Spital Basel => Universitätsspital Basel
   télécabine Verbier => Médran, Verbier
   Grindelwald First gondola => Firstbahn, Grindelwald
   Schweizerhof Luzern => Schweizerhof Luzern, Lucerne
   my hotel, the Baur au Lac in Zurich please => Baur au Lac, Zürich
   pick up at Inselspital main entrance => Inselspital, Bern
   Matterhorn glacier paradise cable car => Matterhorn Glacier Paradise, Zermatt
   Universität St. Gallen HSG => Universität St. Gallen
   Guarda Val Lenzerheide => Guarda Val, Lenzerheide
   Airbnb in Wollishofen, Zürich => Wollishofen, Zürich
   vengo da Ascona, albergo Castello del Sole => Castello del Sole, Ascona
   Wellnesshotel Castello del Sole, Ascona => Castello del Sole, Ascona
   Boutiquehotel Widder, Zürich => Widder, Zürich`,
);

test("a site in a car-free town has the town's car stop", async () => {
  const location = await find("Petit Cervin, Zermatt");
  assert.ok(location.kind === "found", JSON.stringify(location));
  assert.deepEqual([location.place.id, location.carStop.id], ["zermatt", "tasch"]);
});

test("no name contradicts the position of its own site or place", () => {
  for (const named of [...catalog.places, ...catalog.sites])
    for (const name of namesOf(named)) assert.equal(finder.at(named, name).kind, "found", name);
});

test("no site has a name of a place beside it, by which it would never be found", () => {
  const names = new Map(catalog.places.flatMap((place) => namesOf(place).map((name) => [fold(name), place] as const)));
  const hidden = catalog.sites.flatMap((site) =>
    [site.name, ...(site.aliases ?? [])].filter((name) => {
      const place = names.get(fold(name));
      return place && crowFliesKm(place, site) < 2;
    }),
  );
  assert.deepEqual(hidden, []);
});

test("no alias of a town hides a site of that name that lies elsewhere", async () => {
  for (const site of catalog.sites)
    for (const text of [site.name, ...(site.aliases ?? [])]) {
      const location = await find(text);
      if (location.kind !== "found" || location.isOnlyTownKnown) continue;
      if (fold(location.place.name) === fold(text)) continue;
      if (location.place.isPosition || location.connection) continue;
      assert.ok(crowFliesKm(location.place, site) < 1, `${text} of ${site.name} is ${location.place.name}`);
    }
});

reads(
  "a misspelled name of a site is a question with the site",
  // Two letters may make another name.
  `Doldr Grand              => name? The Dolder Grand, Zürich
   Badruts Palace           => name? Badrutt's Palace, St. Moritz
   Inselpsital Bern         => name? Inselspital, Bern
   Hotel Stanserhof, Stans  => similar? Stanserhornbahn`,
);

reads(
  "a name that several towns have is a question without the town",
  `Hospital      => town?
   Klinik        => town?
   gondola lift  => town?
   Kantonsspital => town?`,
);
reads(
  "a name that two to five sites have is a question with them",
  `Kinderspital        => name? Kinderspital Zürich | UKBB, Basel
   hôpital des enfants => name? Kinderspital Zürich | UKBB, Basel
   Messe               => name? Messe Zürich | Bernexpo | Messe Luzern, Lucerne | Messe Basel | Olma Messen, St. Gallen`,
);
test("a name that some sites have is a question with five of them", async () => {
  const location = await find("Schweizerhof");
  assert.ok(location.kind === "question" && location.reason === "similar" && location.candidates.length === 5);
});

reads(
  "the town that the text names decides",
  // The next valley has a site of this name.
  `Hotel Schweizerhof, Basel => in Basel
   Hotel Bern, Zürich        => in Zürich
   Hotel Seehof, Arosa       => in Arosa
   Seehof, Klosters          => in Klosters
   Schweizerhof, Pontresina  => in Pontresina`,
);

test("a comma within the name of a site changes nothing", async () => {
  for (const text of ["Hilton, Zurich", "Park, Hyatt Zürich", "Zurich University, Hospital", "Giardino, Mountain"]) {
    const [own, joined] = [await find(text), await find(text.replace(",", ""))];
    assert.ok(own.kind === "found" && joined.kind === "found", text);
    assert.equal(own.place.name, joined.place.name);
    assert.notEqual(own.isOnlyTownKnown, true);
  }
});

reads(
  "a town beside a site elsewhere is a question with both",
  `Baur au Lac, Geneva        => similar? Geneva | Baur au Lac, Zürich
   Hotel Monte Rosa, Saas-Fee => similar? Monte Rosa, Zermatt | Saas-Fee
   Guarda Val Lugano          => similar? Guarda Val, Lenzerheide | Lugano`,
);
