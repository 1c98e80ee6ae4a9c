import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import type { Fare } from "../../../src/domain/catalog/offer-schema.ts";
import { fareConflicts } from "../../../src/operate/audit/fares.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { aWholeCatalog } from "../../support/catalog-folder.ts";

const packaged = loadCatalog(packagedCatalog);
const route = { from: "zurich-airport", to: "bern" };
const fare: Fare = { id: "one", label: "One", routes: [route], rappen: { sedan: 100 }, includes: [] };
const TOWN = { id: "town", places: ["bern"] };
const AIRPORT = { id: "airport", circle: { lat: 47.4515, lng: 8.5646, radiusKm: 3 } };
const CANTON = { id: "canton", cantons: ["BE"] };
const CIRCLE = { id: "circle", circle: { lat: 46.948, lng: 7.4474, radiusKm: 2 } };

test("a folder without the files of zones, fares, seasons and availability has none", (t) => {
  const folder = aWholeCatalog(t);
  for (const file of ["zones", "fares", "seasons", "availability"]) rmSync(join(folder, `${file}.json`));
  const { zones, fares, seasons, stopSales, bookingWindows } = loadCatalog(folder);
  assert.deepEqual([zones, fares, seasons, stopSales, bookingWindows], [[], [], [], [], []]);
});

suite("two fares of equal rank that could both apply", () => {
  const toZone = (id: string) => ({ routes: [{ ...route, to: id }] });
  // biome-ignore format: a table reads by its columns
  const CASES: readonly (readonly [string, Partial<Fare>, Partial<Fare>, boolean])[] = [
    ["the same twice", {}, {}, true],
    ["in opposite directions", {}, { routes: [{ from: "bern", to: "zurich-airport" }] }, false],
    ["one of them both ways", {}, { routes: [{ from: "bern", to: "zurich-airport", bothWays: true }] }, true],
    ["other classes", {}, { rappen: { van: 100 } }, false],
    ["one after the other", { validTo: "2026-12-31" }, { validFrom: "2027-01-01" }, false],
    ["one day in common", { validTo: "2027-01-01" }, { validFrom: "2027-01-01" }, true],
    ["a place and its zone", {}, toZone("town"), false],
    ["zones with a common place", toZone("circle"), toZone("town"), true],
    ["a canton and a zone in it", toZone("canton"), toZone("town"), false],
    ["a canton twice", toZone("canton"), toZone("canton"), true],
    ["a zone at either end", toZone("town"), { routes: [{ from: "airport", to: "bern" }] }, true],
    ["all days and some", {}, { weekdays: ["monday"] }, false],
    ["other weekdays", { weekdays: ["sunday"] }, { weekdays: ["monday"] }, false],
    ["the same weekday", { weekdays: ["sunday", "monday"] }, { weekdays: ["monday"] }, true],
    ["other hours", { hours: { from: 22, to: 6 } }, { hours: { from: 6, to: 22 } }, false],
    ["a common hour", { hours: { from: 22, to: 6 } }, { hours: { from: 5, to: 7 } }, true],
    ["every year and one", { dates: [{ from: "12-20", to: "01-05" }] }, { dates: [{ from: "2027-01-05", to: "2027-01-09" }] }, true],
    ["every year and beside it", { dates: [{ from: "12-20", to: "01-05" }] }, { dates: [{ from: "2027-01-06", to: "2027-12-19" }] }, false],
    ["over New Year and before", { dates: [{ from: "12-20", to: "01-05" }] }, { dates: [{ from: "12-01", to: "12-20" }] }, true],
  ];
  for (const [what, one, two, isFault] of CASES) {
    test(`${what}: ${isFault ? "a fault" : "accepted"}`, () => {
      const fares = [
        { ...fare, ...one },
        { ...fare, id: "two", ...two },
      ];
      const found = fareConflicts({ ...packaged, zones: [TOWN, CIRCLE, CANTON, AIRPORT], fares });
      assert.deepEqual(found, isFault ? [fares] : []);
    });
  }
});
