import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { textsOf } from "../../../src/contract/notices.ts";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { createEmbeddedPlaceFinder } from "../../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer, READINGS } from "../../../src/domain/places/gazetteer.ts";
import { type Found, type Location, townText } from "../../../src/domain/places/place-finder.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import texts from "./label-texts.json" with { type: "json" };
import { createReads } from "./reads.ts";

const catalog = loadCatalog(packagedCatalog);
const gazetteer = createGazetteer(catalog);
const { serviceArea } = catalog;
const finder = createEmbeddedPlaceFinder(gazetteer, serviceArea);
const { signal } = new AbortController();

const TOO_LONG = { kind: "question", candidates: [], reason: "long" };

const find = (text: string) => finder.find(text, signal);

function assertFound(location: Location): asserts location is Found {
  assert.equal(location.kind, "found", JSON.stringify(location));
}

const reads = createReads(find);

suite("coordinates", () => {
  for (const text of ["47.4515, 8.5646", "47.4515,8.5646", " 47.4515 ; 8.5646 ", "+47.4515, +8.5646"]) {
    test(`"${text}" is a position in the airport, labeled as written`, async () => {
      const location = await find(text);
      assertFound(location);
      const { name, ...place } = location.place;
      const at = {
        id: "zurich-airport",
        kind: "airport",
        lat: 47.4515,
        lng: 8.5646,
        roadNode: "zurich-airport",
        iata: "ZRH",
      };
      const town = { name: "Zurich Airport" };
      assert.deepEqual(place, { ...at, isPosition: true, town, country: "CH", canton: "ZH" });
      assert.equal(name, text.trim());
      assert.deepEqual(location.carStop, location.place);
      assert.deepEqual(location.notes, []);
    });
  }

  reads(
    "are read with degrees and letters as maps write them, and are no other numbers",
    `47.4515 N, 8.5646 E   => @ zurich-airport
     47.4515° N, 8.5646° E => @ zurich-airport
     47.4515 S, 8.5646 E   => unknown
     47.4515 N, 8.5646 W   => unknown
     90.1, 8               => unknown
     47, 180.1             => unknown
     999, 999              => unknown
     47.4515               => unknown
     47.4515 8.5646        => unknown
     1e1, 8                => unknown`,
  );

  reads(
    "within a kilometer of an airport, or at its reference point up to 2 km from its terminal, are the airport",
    // Also in Le Grand-Saconnex, and in Agno.
    `47.4581, 8.5481      => @ zurich-airport
     47.464699, 8.54917   => @ zurich-airport
     47.59, 7.529167      => @ basel-euroairport
     45.445098, 9.27674   => @ milan-linate-airport
     45.200802, 7.64963   => @ turin-airport
     47.4596, 8.5646      => @ zurich-airport
     47.4614, 8.5646      => @ null
     45.998, 8.901        => @ lugano-airport`,
  );

  test("a known position far away is outside, also with wrong signs", async () => {
    for (const text of ["0, 0", "90, 180", "-90, -180", "-47.4515, 8.5646", "47.4515, -8.5646"]) {
      assert.deepEqual(await find(text), { kind: "outside", name: text, isPosition: true });
    }
  });

  test("a town that is not served is outside, with the nearest town that is, unless that is far away too", async () => {
    const near = {
      Sigmaringen: { name: "Stockach", km: 31 },
      Schwaz: { name: "Innsbruck", km: 26 },
      London: undefined,
    };
    for (const [name, town] of Object.entries(near))
      assert.deepEqual(await find(name), { kind: "outside", name, ...(town && { near: town }) });
  });

  test("latitude and longitude in the wrong order are outside, with the swapped position", async () => {
    const [name, swapped] = ["8.5646, 47.4515", { lat: 47.4515, lng: 8.5646 }];
    assert.deepEqual(await find(name), { kind: "outside", name, isPosition: true, swapped });
  });

  test("a position in a car-free place stops at its car stop", async () => {
    const location = await find("46.0207, 7.7491");
    assertFound(location);
    assert.equal(location.place.id, "zermatt");
    assert.equal(location.carStop.id, "tasch");
    assert.deepEqual([location.connection?.means, location.connection?.minutes], ["train", 12]);
  });
});

suite("labels", () => {
  const bern = { lat: 46.948, lng: 7.447 };
  for (const [label, nearest] of [
    ["Zermatt", "Zermatt"],
    ["Freiburg", "Fribourg"],
    ["Paris", "Paris"],
    ["Zürich ZH", "Zürich"],
    ["47.4515, 8.5646", "47.4515, 8.5646"],
    [`${"x ".repeat(33)}Zermatt`, "Zermatt"],
  ] as const) {
    test(`"${label}" at Bern is a contradiction in each of its meanings`, () => {
      const location = finder.at(bern, label);
      assert.ok(location.kind === "contradiction" && location.km > 10, JSON.stringify(location));
      assert.ok(location.name.startsWith(nearest), location.name);
    });
  }

  test("with a person's or a company's name are no places; with a place beside it they are", () => {
    const kloten = { lat: 47.4515, lng: 8.5846 };
    const refused = (label: string) => finder.at(kloten, label).kind === "contradiction";
    assert.deepEqual(
      texts.hiding.filter((label) => !refused(label)),
      [],
    );
    assert.deepEqual([...texts.naming, ...texts.honest].filter(refused), []);
  });
});

suite("car-free places", () => {
  const carFree = catalog.places.filter((place) => place.carFree);

  for (const { id, name, carFree: way } of carFree) {
    test(`${name}: the car stops at the car stop, and the connection says how to continue`, async () => {
      const text = [name, `${name}, CH`].find((each) => gazetteer.geocode(each).kind === "found");
      assert.ok(text);
      const location = await find(text);
      assertFound(location);
      assert.equal(location.place.id, id);
      assert.equal(location.carStop.id, way?.carStop);
      assert.notEqual(location.carStop.roadNode, null);
      const { carStop: _, ...connection } = way ?? {};
      assert.deepEqual(location.connection, { name, ...connection });
    });
  }
});

reads(
  "well-known places with short names are suggested, and no candidate that no person would write",
  // A number is no misspelled one: Arc 1600, Arc 1950.
  `Davoss     => name? Davos
   Arc 1610   => unknown`,
);

reads(
  "a text about what is near a place, or about several, is a question with these places",
  `a hotel near Zermatt => similar? Zermatt
   hotel near Zurich airport => similar? Zurich Airport
   Zermatt Airport => similar? Zermatt
   Flughafen Verbier, Wallis => similar? Verbier
   Andermatt airfield => similar? Andermatt
   somewhere between Thun and Bern => similar? Thun | Bern
   Bern or Thun => similar? Bern | Thun
   Thun near Les Deux Alpes => similar? Thun | Les Deux Alpes
   10 km from Bern => similar? Bern
   Lake Geneva => similar? Geneva
   from Geneva to Verbier => similar? Geneva | Verbier
   Zurich airport - Davos => similar? Zurich Airport | Davos
   pick-up Zurich HB, drop-off Luzern => similar? Zürich HB | Lucerne
   LX 14 from JFK, landing at Zurich => similar? Zurich Airport | Zürich
   airport hotel Geneva => similar? Geneva Airport | Geneva
   Seefeld => similar? Seefeld in Tirol | Seefeld, Zürich
   Genf - Verbier - Genf => similar? Geneva | Verbier
   above Montreux => similar? Montreux
   près de Nyon => similar? Nyon
   Raum Winterthur => similar? Winterthur
   Davos Street 5 => similar? Davos
   Hotel Pilatus => similar? Pilatus Kulm
   Credit Suisse Paradeplatz => similar? Paradeplatz, Zürich
   25hours Hotel Zürich West => similar? Zürich West
   Hotel Alpina => similar? The Alpina, Gstaad
   WEF => similar? Kongresszentrum Davos | WEF Cologny`,
);

reads(
  "a town, unknown words and another town, however near, is a question with both; a building or a street has a name of its own",
  `Basilea, anzi Berna => similar? Basel | Bern
   Interlaken, ich meinte Iseltwald => similar? Interlaken | Iseltwald
   Zermatt, make that Täsch => similar? Zermatt | Täsch
   Zürich, I mean Zurich => in Zürich
   Zürich HB, nein Flughafen Zürich => address? Zurich Airport | Zürich HB
   Genève Cornavin, non l'aéroport => address? Geneva Airport | Geneva Cornavin
   Basel SBB, nein Badischer Bahnhof => similar? Basel SBB | Basel Badischer Bahnhof
   Davos, Hotel Lugano => in Davos
   near Lugano, Davos => similar? Lugano | Davos
   Bern, Zürich oder Basel => similar? Bern | Zürich | Basel
   Basel, Gasthof Liestal => in Basel`,
);

reads(
  "words around a name that say what happens there change nothing",
  `please pick me up at Zurich Airport => Zurich Airport
   zurich airport arrivals 2 => Zurich Airport
   nous arrivons à l'aéroport de Genève => Geneva Airport
   Abholung am Bahnhof Luzern => Lucerne Station
   we are staying at the Dolder Grand in Zurich => The Dolder Grand, Zürich
   the train station in Visp => Visp Station
   to La Chaux-de-Fonds please => La Chaux-de-Fonds
   Inselspital please pick up => Inselspital, Bern
   CH Bern => Bern`,
);

test("a misspelled name that a site has as well returns candidates that are found", async () => {
  const candidates = ["Seefeld in Tirol", "Seefeld, Zürich"];
  assert.deepEqual(await find("Seefelld"), { kind: "question", candidates, reason: "name" });
  for (const candidate of candidates) assert.equal((await find(candidate)).kind, "found");
});

reads(
  "a text that names a site and another spot elsewhere in the same city is a question, neighbors are none",
  `ETH Zurich, Hönggerberg campus => similar? ETH Zürich | ETH Hönggerberg, Zürich
   Universität Zürich, Campus Irchel => similar? Universität Zürich | Universität Zürich Irchel
   ETH Zürich, Oerlikon => similar? ETH Zürich | Zürich Oerlikon Station
   Baur au Lac, Zurich Airport => similar? Baur au Lac, Zürich | Zurich Airport
   Palexpo, Geneva Airport => Palexpo, Le Grand-Saconnex
   Hotel Schweizerhof Zürich, Wiedikon => Schweizerhof Zürich
   ETH, Hönggerberg => ETH Hönggerberg, Zürich`,
);

reads(
  "a text that names a town and a site or a station elsewhere is a question",
  `Hotel Klosterbräu, Seefeld => similar? Seefeld in Tirol | Seefeld, Zürich
   Spital Zollikerberg, near Breno (Val Camonica) => similar? Spital Zollikerberg | Breno (Val Camonica)
   Schwyz Hôpital Riviera-Chablais => similar? Spital Schwyz | Hôpital Riviera-Chablais, Villeneuve
   Neunkirch Malters => similar? Neunkirch | Malters
   Bahnhof Brügg BE - gare de Wettingen => similar? Brugg Station
   Schloss Rapperswil Au SG => similar? Schloss Rapperswil, Rapperswil-Jona | Au SG`,
);

test("a word for a station with no name is asked for with its town, one for an airport with all airports", async () => {
  for (const text of ["the station", "from the station please"])
    assert.deepEqual(await find(text), { kind: "question", candidates: [], reason: "town" }, text);
  const airports = catalog.places.filter(({ kind }) => kind === "airport");
  for (const text of ["the airport", "to the airport please", "Flughafen"]) {
    const location = await find(text);
    assert.ok(location.kind === "question" && location.reason === "similar", text);
    assert.equal(location.candidates.length + (location.others ?? []).length, airports.length, text);
  }
});

reads(
  "a word for a station beside its town has articles and prepositions",
  `Chamonix, gare SNCF => Chamonix Station
   staz. Chiasso => Chiasso Station
   Merci de nous prendre à Gland devant la gare => in Gland
   Bourg St Maurice, la gare => Bourg-Saint-Maurice Station
   Lugano, alla stazione => Lugano Station
   Züri Flughafe => Zurich Airport
   mir lande z Züri => similar? Zurich Airport | Zürich
   Sion, hôtel de la gare => in Sion`,
);

reads(
  "an entrance, a hall or a side of a site changes nothing",
  `Davos Kongresszentrum Eingang Ost => Kongresszentrum Davos
   Luzern KKL Eingang Ost => KKL Luzern, Lucerne
   CERN main gate => CERN, Meyrin`,
);

reads(
  "a name that several places share, and none has as a whole, is a question",
  `Villars => name? Villars-sur-Ollon | Villars-sur-Glâne
   Colombier => name? Colombier NE | Colombier VD
   Rigi => name? Rigi Kaltbad | Rigi Kulm
   Liechtenstein => name? Vaduz | Schaan
   Matterhorn => name? Cervinia | Zermatt
   Mont Blanc => name? Chamonix | Courmayeur
   Hotel Matterhorn, Davos => in Davos
   1884 Villars => Villars-sur-Ollon
   Altdorf => Altdorf`,
);

reads(
  "other names of places",
  `Cointrin => Geneva Airport
   Lyon Saint-Ex => Lyon Saint-Exupéry Airport
   7500 St. Moritz/San Murezzan => St. Moritz
   7514 Sils/Segl Maria => Sils Maria
   San Bernardino paese => San Bernardino
   Freiburg i. Ü. => Fribourg
   Brienz im Albulatal => Brienz GR
   Altenrhein => St. Gallen-Altenrhein Airport
   Nice airport terminal 2 => outside`,
);

reads(
  "a lake beside a name is left out, and else a question with the town that has its name",
  `Villa d'Este on Lake Como => Villa d'Este, Cernobbio
   Badrutt's Palace on Lake St. Moritz => Badrutt's Palace, St. Moritz
   Bellagio, Lake Como => Bellagio
   Weggis am Vierwaldstättersee => Weggis
   chalet on Lake Lucerne => similar? Lucerne
   Hotel du Lac Lugano => in Lugano`,
);

reads(
  "a far city before words that name nothing is outside",
  `London Heathrow T5 => outside
   gare de Lyon à Paris => outside
   Hotel Paris => unknown
   London Road, Thun => in Thun`,
);

reads(
  "a misspelled name before or after other words is a question, and so are two near towns",
  `Arosa Lenzerheide => similar? Arosa | Lenzerheide
   Montreaux Jazz Festival => similar? Montreux
   hotel in Montreaux => similar? Montreux
   Alpine Inn => unknown
   INN => Innsbruck Airport
   swimming pool => unknown`,
);

reads(
  "an article is contracted with a preposition, a street has a number, and a hall too",
  `nous allons au Locle => Le Locle
   via Zurigo 10, Lugano => in Lugano
   via Zermatt, Davos => similar? Zermatt | Davos
   Messe Basel Halle 1 => Messe Basel
   Wil => name? Wil SG | Wil ZH | Wil AG`,
);

test("a country or region that is not served is not left out", async () => {
  for (const text of ["Zurich, Ontario", "Lugano, Russia", "Basel, Ägypten", "Geneva, NY"])
    assert.notEqual((await find(text)).kind, "found", text);
});
reads(
  "a province or canton after its town is left out",
  `22100 Como CO => Como
   Grenchen SO   => Grenchen`,
);

reads(
  "a short word with a similar name is a question, and no instruction",
  `Laxx     => similar? Laax
   Intrlakn => similar? Interlaken`,
);

reads(
  "a candidate is the name that the text nearly is, and a question where it lacks a word of the text",
  `Klosterz-Serneus            => name? Klosters-Serneus
   Zurich train staton         => name? Zürich HB
   Zurich Airprt, Switzerland  => name? Zurich Airport
   Airport, Zermatt            => similar? Zermatt
   Hotel Bahnof Zermatt        => similar? Zermatt Station
   Genf Flughfen Hotel         => similar? Geneva Airport`,
);

test("a town far from the coordinates is named with its distance", async () => {
  const label = "A farm";
  for (const [position, near] of [
    [{ lat: 47.76, lng: 11.56 }, "Starnberg (31 km)"],
    [{ lat: 47.6, lng: 11.35 }, "Mittenwald (19 km)"],
    [{ lat: 46.68, lng: 7.8 }, "Beatenberg"],
  ] as const) {
    const location = finder.at(position, label);
    assertFound(location);
    assert.equal(townText(location.place.town), near);
  }
});

test("the town of a part of a town is that town, and of a site the one that people name with it", async () => {
  for (const [text, town] of [
    ["Davos Dorf", "Davos"],
    ["Zürich HB", "Zürich"],
    // It stands in the perimeter of the airport.
    ["Hilton Zurich Airport, Opfikon", "Opfikon"],
    ["Zermatt", "Zermatt"],
  ] as const) {
    const location = await find(text);
    assertFound(location);
    assert.deepEqual([location.place.town.name, location.place.country], [town, "CH"], text);
  }
});

reads(
  "two swapped letters are one mistake, a name with both ends misspelled is unknown, and a written accent counts",
  `Luzren     => name? Luzern
   Ynterlakem => unknown
   Brugg      => Brugg
   Brügg      => Brügg BE`,
);

reads(
  "a misspelled town beside a hotel is a question with the town, if it lies where the text says",
  `Hotel Bellevue, Zermat        => similar? Zermatt
   Grindelwalt, Chalet Edelweiss => similar? Grindelwald
   Zermat, Germany               => unknown`,
);

suite("a name and its one town need no comma", () => {
  for (const [text, id, placed] of [
    ["Tierspital Bern", "bern", "Bern"],
    ["The Crown Andermatt", "andermatt", "Andermatt"],
    ["Hotel Post St. Moritz", "st-moritz", "St. Moritz"],
    ["Bahnhofstrasse 12 8001 Zürich", "zurich", "Zürich"],
    ["EPFL Lausanne", "epfl", null],
  ] as const) {
    test(text, async () => {
      const location = await find(text);
      assertFound(location);
      assert.equal(location.place.id, id);
      const notice = `The address "${text}" is not known here: the price is for the center of ${placed}, and the exact address is agreed with the driver.`;
      assert.deepEqual(textsOf(location.notes), placed ? [notice] : []);
    });
  }

  test("which of two towns is meant stays a question", () => {
    const candidates = ["Zürich", "Bern"];
    assert.deepEqual(gazetteer.geocode("Zürich Hotel Bern"), { kind: "question", candidates, reason: "similar" });
  });
});

suite("each reading decides about its example", () => {
  for (const { name, example } of READINGS)
    test(`${name}: ${example}`, () => assert.equal(gazetteer.firstReading(example)?.name, name));
});

test("32 words are read, and a text of more is a question", async () => {
  assert.equal((await find(`${"please ".repeat(31)}Zermatt`)).kind, "found");
  for (const separator of [" ", ", ", " - "])
    assert.deepEqual(await find(`${`please${separator}`.repeat(32)}Zermatt`), TOO_LONG);
});

reads(
  "a bare postcode is the place that has it, and one of several a question with them, without their stations",
  // No town has 8058.
  `8001    => in Zürich
   CH-3920 => in Zermatt
   8058    => in Zurich Airport
   7270    => name? Davos | Davos Platz | Schatzalp`,
);

reads(
  "a name that is also that of a canton is the canton after a place, and no town after a word for it",
  `Grindelwald, Bern                => Grindelwald
   Wil Kanton St. Gallen            => similar? St. Gallen
   a hotel in the canton of Bern    => similar? Bern
   albergo nel cantone di Zurigo    => similar? Zürich
   Kanton Bern                      => unknown
   Ticino                           => unknown`,
);

reads(
  "a terminal is its airport, beside a town the traveler is asked which is meant, and a place in brackets selects",
  `Malpensa Terminal 1       => Milan Malpensa Airport
   Zürich T2                 => similar? Zurich Airport | Zürich
   Teufen (Glattfelden)      => Teufen ZH
   Teufen (St. Gallen)       => Teufen
   Zürich HB, Zurich Airport => name? Zurich Airport | Zürich HB
   Verbier (Paris)           => unknown`,
);

reads(
  "a name after a word for not is not meant",
  `Lausanne, not Geneva      => in Lausanne
   St. Moritz (nicht Davos)  => in St. Moritz`,
);

test("a word of the names of several sites is a question with all of them", async () => {
  const location = await find("The Hilton");
  assert.ok(location.kind === "question" && location.candidates.length > 1, JSON.stringify(location));
  for (const candidate of location.candidates) assert.match(candidate, /Hilton/);
});

reads(
  "an airport is found without its word, and a flight to a town asks for the airport",
  `St Gallen Altenrhein         => St. Gallen-Altenrhein Airport
   we land at Zurich            => similar? Zurich Airport | Zürich
   Genf GAT                     => similar? Geneva Airport | Geneva`,
);
