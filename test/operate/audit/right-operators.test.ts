import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findingText } from "../../../src/domain/catalog/finding.ts";
import { auditFolder } from "../../../src/operate/commands/check.ts";
import { type CatalogFiles, folderOf } from "../../support/catalog-folder.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { ownCatalog } from "../../support/own-catalog.ts";
import { contentOf } from "./plant.ts";

const vehicle = (id: string, type: string, seats: number) => ({
  ...{ id, type, passengerCapacity: seats, luggageCapacity: seats, largeLuggageCapacity: seats },
  ...{ smallLuggageCapacity: seats, specialItemPlaces: seats, onRequest: false },
});
const rate = (base: number, km: number, minimum: number, first: number, further: number, waiting: number) => ({
  ...{ baseRappen: base, perKmRappen: km, minimumRappen: minimum },
  ...{ firstHourRappen: first, furtherHourRappen: further, waitingStepRappen: waiting },
});

/** Companies of other shapes than the example of the package, by their files; each is right. */
const COMPANIES: Readonly<Record<string, (tariff: Fields) => Readonly<Record<string, Fields>>>> = {
  "taxis of a valley, with fixed fares by zones": (tariff) => ({
    "vehicle-classes.json": { vehicleClasses: [vehicle("taxi", "Taxi", 4), vehicle("maxi_taxi", "Maxi taxi", 8)] },
    "tariff.json": {
      ...{ ...tariff, floor: undefined, roundingRappen: 100, leadTimeHours: 0.5, horizonDays: 90 },
      rates: { taxi: rate(800, 480, 2000, 8000, 8000, 700), maxi_taxi: rate(1200, 620, 3000, 9500, 9500, 900) },
      waiting: { freeMinutesAtAirports: 15, freeMinutes: 5, stepMinutes: 5 },
      night: { fromHour: 20, toHour: 6, percent: 0, rappen: 500 },
      holidays: { percent: 20, days: [{ name: "Labor Day", date: "05-01" }] },
      ...{ hourly: { includedKmPerHour: 15 }, returnDiscount: { percent: 0 } },
    },
    "zones.json": {
      zones: [
        { id: "saas", places: ["saas-fee", "saas-grund"] },
        { id: "valais", cantons: ["VS"] },
      ],
    },
    "fares.json": {
      replace: true,
      fares: [
        fare("saas-visp", "saas", "visp", { taxi: 12_000, maxi_taxi: 15_000 }, { bothWays: true }),
        fare("saas-valais", "saas", "valais", { taxi: 16_000, maxi_taxi: 20_000 }, { bothWays: true }),
        fare("to-saas", "zurich-airport", "saas", { taxi: 90_000 }, { bothWays: false }),
      ],
    },
  }),
  "limousines by the hour, with net clients": (tariff) => ({
    "vehicle-classes.json": {
      vehicleClasses: [
        ...[vehicle("e_class", "Business sedan, e.g. Mercedes E-Class", 3), vehicle("s_class", "First-class sedan", 3)],
        ...[
          vehicle("v_class", "Van", 6),
          vehicle("stretch", "Stretch limousine", 8),
          vehicle("sprinter", "Minibus", 15),
        ],
      ],
    },
    "tariff.json": {
      ...{ ...tariff, floor: undefined, leadTimeHours: 24, horizonDays: 730, turnaroundMinutes: 60 },
      ...{ hourly: { includedKmPerHour: 60 }, returnDiscount: { percent: 35 } },
      night: { fromHour: 22, toHour: 6, percent: 25 },
      rates: {
        ...{ e_class: rate(0, 400, 18_000, 11_000, 11_000, 2750), s_class: rate(0, 600, 28_000, 17_000, 17_000, 4250) },
        ...{
          v_class: rate(0, 480, 22_000, 13_000, 13_000, 3250),
          sprinter: rate(5000, 800, 40_000, 22_000, 20_000, 5500),
        },
        stretch: rate(10_000, 900, 60_000, 35_000, 35_000, 9000),
      },
    },
    "clients.json": {
      clients: [
        ...[
          { id: "hotel", percent: -35 },
          { id: "bank", percent: 5, label: "Corporate rate" },
        ],
        { id: "agency", commissionPercent: 15, budgets: { checkout: { points: 100, seconds: 86_400 } } },
      ],
    },
    "seasons.json": {
      replace: true,
      seasons: [
        { id: "fuel", label: "Fuel supplement", percent: 4 },
        { id: "new-year", label: "New Year's Eve", percent: 120, dates: [{ from: "12-31", to: "01-01" }] },
        { id: "summer", label: "Summer offer", percent: -8, dates: [{ from: "07-01", to: "08-31" }] },
      ],
    },
    "availability.json": {
      replace: true,
      stopSales: [],
      bookingWindows: [{ id: "stretch", leadTimeHours: 72, classes: ["stretch"] }],
    },
    "policies.json": policies({
      ...{ fullRefundCutoffHours: 72, partialRefunds: [{ hours: 24, percent: 50 }] },
      text:
        "Free cancellation until {fullRefundCutoffHours} hours before the pickup; until 24 hours before it half is " +
        "refunded, within 5 days. State the flight number 2 hours before the pickup. After 10 minutes of waiting the " +
        "driver calls.",
    }),
    "place-fees.json": {
      placeFees: ["zurich-airport", "geneva-airport"].map((place) => ({
        ...{ id: place, label: "Parking", places: [place], at: "pickup", rappen: 900 },
      })),
    },
  }),
  "coaches for groups": (tariff) => ({
    "vehicle-classes.json": {
      vehicleClasses: [
        vehicle("midi", "Midi coach", 30),
        vehicle("coach", "Coach", 50),
        vehicle("double", "Double-decker", 80),
      ],
    },
    "tariff.json": {
      ...{ ...tariff, floor: undefined, leadTimeHours: 120, horizonDays: 540, turnaroundMinutes: 180 },
      ...{ roundingRappen: 1000, hourly: { includedKmPerHour: 40 } },
      rates: {
        midi: rate(12_000, 420, 60_000, 18_000, 14_000, 4000),
        coach: rate(20_000, 520, 90_000, 22_000, 18_000, 5000),
        double: rate(30_000, 650, 120_000, 28_000, 24_000, 6000),
      },
    },
    "policies.json": policies({ fullRefundCutoffHours: 168 }),
  }),
};

function fare(id: string, from: string, to: string, rappen: Fields, more: Fields) {
  return { id, label: `Fixed fare ${id}`, routes: [{ from, to, ...more }], rappen, includes: ["fees"] };
}

/** The policies of the package with another cancellation policy. */
function policies(changed: Fields): Fields {
  const [cancellation, ...others] = contentOf(ownCatalog(), "policies.json").policies;
  return { replace: true, policies: [{ ...cancellation, ...changed }, ...others] };
}

suite("check finds nothing in the files of an operator who is right", () => {
  for (const [company, filesOf] of Object.entries(COMPANIES))
    test(company, (t) => {
      const own = ownCatalog();
      const files: CatalogFiles = new Map([
        ...own,
        ["fares.json", { replace: true, fares: [] }],
        ["zones.json", { zones: [] }],
        ["seasons.json", { replace: true, seasons: [] }],
        ["availability.json", { replace: true, stopSales: [], bookingWindows: [] }],
        ...Object.entries(filesOf(contentOf(own, "tariff.json"))),
        ["operator.json", { ...contentOf(own, "operator.json"), languages: ["en"] }],
      ]);
      const fleet = contentOf(files, "vehicle-classes.json");
      files.set("vehicle-classes.json", { replace: true, ...fleet });
      const folder = folderOf(t, files);
      assert.deepEqual(auditFolder(folder, folder).findings.map(findingText), []);
    });
});
