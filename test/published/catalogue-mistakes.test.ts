import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { loadCatalogue } from "../../src/compose-catalogue.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests reach into files of many shapes
type Content = any;
type Change = (content: Content) => void;

const AT = "rates.sedan.baseRappen";
const CORRIDOR_TO = "corridors.2.destination";

const MISTAKES: readonly (readonly [string, string, Change, string | RegExp])[] = [
  ["a negative fare", "tariff.json", put(AT, -1), `${AT}: `],
  ["a fare of half a Rappen", "tariff.json", put(AT, 340.5), `${AT}: Expected integer`],
  ["a fare in words", "tariff.json", put(AT, "2000"), `${AT}: Expected number`],
  ["an unknown field", "tariff.json", put("night.colour", "blue"), /night: .*colour/],
  [
    "a time zone that is none",
    "tariff.json",
    put("timeZone", "Europe/Bern"),
    "timeZone: Not an IANA time zone",
  ],
  ["a foreign currency", "tariff.json", put("currency", "EUR"), "currency: "],
  ["a holiday in month 13", "tariff.json", put("holidays.days.0.date", "13-01"), "holidays.days.0"],
  ["a class without a rate", "tariff.json", put("rates.coach", undefined), "rates.coach: missing"],
  [
    "a corridor that stands twice",
    "corridors.json",
    repeat("corridors"),
    "zurich-airport-to-zurich: stands twice",
  ],
  [
    "a corridor to no place",
    "corridors.json",
    put(CORRIDOR_TO, "atlantis"),
    /zurich-.*: there is no place atlantis/,
  ],
  ["a corridor of no length", "corridors.json", put("corridors.4.distanceKm", 0), "corridors.4.distanceKm: "],
  ["no corridor at all", "corridors.json", put("corridors", []), "corridors: "],
  [
    "a type of transfer unknown",
    "corridors.json",
    put("corridors.0.transferType", "sea"),
    "corridors.0.transferType: ",
  ],
  ["a class that stands twice", "vehicle-classes.json", repeat("vehicleClasses"), "sedan: stands twice"],
  [
    "a class that seats nobody",
    "vehicle-classes.json",
    put("vehicleClasses.1.passengerCapacity", 0),
    "vehicleClasses.1.p",
  ],
  [
    "a field left out",
    "vehicle-classes.json",
    put("vehicleClasses.1.type", undefined),
    "vehicleClasses.1.type: Required",
  ],
  [
    "luggage of no size",
    "luggage.json",
    put("definitions.large.maxDimensionsCm", []),
    "definitions.large.maxDimensionsCm: ",
  ],
  ["a policy that stands twice", "policies.json", repeat("policies"), "cancellation: stands twice"],
  ["a budget of nothing", "budgets.json", put("checkout.points", 0), "checkout.points: "],
  ["a budget left out", "budgets.json", put("routing", undefined), "routing: Required"],
  ["a tier that is none", "budgets.json", put("chess", {}), /budgets\.json: .*chess/],
  ["requirements without notes", "requirements.json", put("notes", ""), "notes: "],
  ["an empty service area", "service-area.json", put("box.south", 60), "box: The box is empty"],
  ["a place that stands twice", "places/airports.json", repeat("places"), /[a-z-]+-airport: stands twice/],
  ["a place off the globe", "places/airports.json", put("places.0.lat", 91), "places.0.lat: "],
  ["a far city without a name", "places/cities-far.json", put("cities.0.name", ""), "cities.0.name: "],
  [
    "a drop-off that is none",
    "places/resorts-west.json",
    dropOff("atlantis"),
    "zermatt.carFree.dropOff: atlantis is no place",
  ],
  [
    "a drop-off without cars",
    "places/resorts-west.json",
    dropOff("saas-fee"),
    "zermatt.carFree.dropOff: saas-fee is no place",
  ],
  ["a node that stands twice", "roads/central.json", repeat("nodes"), /nodes\.[a-z0-9-]+: stands twice/],
  ["a road that stands twice", "roads/central.json", reverse, /edges\.[a-z0-9-]+ [a-z0-9-]+: stands twice/],
  [
    "a road to nowhere",
    "roads/central.json",
    put("edges.0.to", "atlantis"),
    /edges\..*: there is no node atlantis/,
  ],
  ["a road in a circle", "roads/central.json", circle, /edges\.([a-z0-9-]+) \1: leads nowhere/],
  ["a road of no length", "roads/grisons.json", put("edges.5.km", 0), "edges.5.km: "],
  [
    "a closure without its end",
    "roads/grisons.json",
    put("edges.5.closed", { from: "11-01" }),
    "edges.5.closed.to: Required",
  ],
];

suite("a mistake in the catalogue is named by file and path", () => {
  for (const [name, file, change, where] of MISTAKES) {
    test(`${name} (${file})`, (t) => {
      const catalogDir = aCatalogFolder(t);
      changeCatalog(catalogDir, file, (content) => {
        change(content);
        return content;
      });
      const { name: kind, message } = refusalOf(catalogDir);
      assert.equal(kind, "CatalogueMistake", message);
      assert.ok(message.startsWith(join(catalogDir, file)), message);
      if (typeof where === "string") assert.ok(message.includes(`${file} at ${where}`), message);
      else assert.match(message, where);
    });
  }

  test("broken JSON, a missing file and a missing folder", (t) => {
    const catalogDir = aCatalogFolder(t);
    rmSync(join(catalogDir, "roads"), { recursive: true });
    assert.match(refusalOf(catalogDir).message, /roads: cannot be read \(ENOENT/);
    rmSync(join(catalogDir, "places", "cities-far.json"));
    assert.match(refusalOf(catalogDir).message, /cities-far\.json: cannot be read \(ENOENT/);
    writeFileSync(join(catalogDir, "tariff.json"), "{ no json");
    assert.match(refusalOf(catalogDir).message, /tariff\.json: no JSON \(/);
    rmSync(catalogDir, { recursive: true });
    assert.match(refusalOf(catalogDir).message, /corridors\.json: cannot be read \(ENOENT/);
  });
});

function refusalOf(catalogDir: string): Error {
  try {
    loadCatalogue({ catalogDir });
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  return assert.fail("the catalogue was accepted");
}

/** Sets the value at a dotted path; `undefined` leaves the field out. */
function put(path: string, value: unknown): Change {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  return (content) => {
    const parent: Content = keys.reduce((inner: Content, key) => inner[key], content);
    parent[last] = value;
  };
}

/** Lists the first entry once more. */
function repeat(list: string): Change {
  return (content) => content[list].push(content[list][0]);
}

function dropOff(id: string): Change {
  return ({ places }) => {
    const zermatt = places.find((place: Content) => place.id === "zermatt");
    zermatt.carFree.dropOff = id;
  };
}

function reverse({ edges }: Content): void {
  const [edge] = edges;
  edges.push({ ...edge, from: edge.to, to: edge.from });
}

function circle({ edges }: Content): void {
  edges[0].to = edges[0].from;
}
