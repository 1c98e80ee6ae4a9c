import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { pricingOf } from "../../../src/operate/compose/embedded-pricing.ts";
import { aCatalogFolder, aWholeCatalog, changeCatalog, folderOf } from "../../support/catalog-folder.ts";
import type { Fields } from "../../support/mcp-client.ts";

type Change = (content: Fields) => void;
type Mistake = readonly [name: string, file: string, change: Change, where: string | RegExp];

const AT = "rates.sedan.baseRappen";
const aZone = { id: "town", places: ["bern"] };
const aFare = { id: "one", label: "One", routes: [{ from: "bern", to: "thun" }], rappen: { sedan: 100 }, includes: [] };
const aSeason = { id: "one", label: "One", percent: 10 };

// biome-ignore format: a table reads by its columns
const MISTAKES: readonly Mistake[] = [
  ["a negative fare", "tariff.json", put(AT, -1), `${AT}: Number must be greater than or equal to 0; it is -1`],
  ["a fare of half a Rappen", "tariff.json", put(AT, 340.5), `${AT}: Expected integer, received float; it is 340.5`],
  ["a fare in words", "tariff.json", put(AT, "2000"), `${AT}: Expected number, received string; it is "2000"`],
  ["an unknown field", "tariff.json", put("night.color", "blue"), "night.color: unknown field; allowed: fromHour, "],
  ["an unknown time zone", "tariff.json", put("timeZone", "Europe/Bern"), "timeZone: Not an IANA time zone"],
  ["a holiday in month 13", "tariff.json", put("holidays.days.0.date", "13-01"), "holidays.days.New Year's Day.date: Not a month and day such as 12-25; it is \"13-01\""],
  ["a missing field", "vehicle-classes.json", put("vehicleClasses.1.type", undefined), "estate.type: is missing"],
  ["more luggage than large and small pieces", "vehicle-classes.json", put("vehicleClasses.0.luggageCapacity", 5), "sedan: luggageCapacity is more than"],
  ["a price of an unknown special item", "tariff.json", put("specialItemRappen.surfboard", 1_000), "specialItemRappen.surfboard: unknown"],
  ["a later refund that is higher", "policies.json", put("policies.0.partialRefunds", [{ hours: 12, percent: 30 }, { hours: 6, percent: 50 }]), "cancellation.partialRefunds: Each has fewer hours"],
  ["a budget of 0 points", "budgets.json", put("checkout.points", 0), "checkout.points: "],
  ["an empty service area", "service-area.json", put("box.south", 60), "box: The box is empty"],
  ["a latitude without a longitude", "places/stations.json", ({ places }) => delete places.find(({ lat }: Fields) => lat).lng, /: lat and lng are given together/],
  ["a road from a node to itself", "roads/central.json", ({ edges: [edge] }) => (edge.to = edge.from), /edges\.([a-z0-9-]+) \1: from and to are the same node/],
  ["a translation into a language that the page does not have", "translations.json", put("texts.snowboard", { es: "tabla" }), "snowboard.es: unknown field; allowed: de, fr, it"],
  ["a color in words", "operator.json", put("color", "red"), "color: Not a color such as #0b5d66"],
  ["a closure without its end", "roads/grisons.json", put("edges.5.closed", { from: "11-01" }), "edges.landquart zizers.closed.to: is missing"],
  ["a zone of nothing", "zones.json", add("zones", { id: "none" }), "none: It has no places"],
  ["a fare that ends at no day", "fares.json", add("fares", { ...aFare, validTo: "12-24" }), "one.validTo: must have a year, YYYY-MM-DD"],
  ["a season of no day", "seasons.json", add("seasons", { ...aSeason, dates: [{ from: "13-01", to: "13-02" }] }), /YYYY-MM-DD/],
  ["a season of no hours", "seasons.json", add("seasons", { ...aSeason, hours: { from: 3, to: 3 } }), /are the same hour/],
  ["a stop-sale without a reason", "availability.json", add("stopSales", { id: "one", offer: "none" }), "stopSales.one.reason: is missing"],
  ["no pickups of an extra", "tariff.json", put("specialItemTerms.child_seat", { pickups: [] }), "specialItemTerms.child_seat.pickups: Array must contain at least 1 element(s); it is []"],
  ["an extra per trip", "tariff.json", put("specialItemTerms.skis", { per: "trip" }), "specialItemTerms.skis.per: Invalid enum value. Expected 'direction' | 'journey', received 'trip'; it is \"trip\""],
  ["a route as text", "fares.json", add("fares", { ...aFare, id: "two", routes: "bern" }), 'two.routes: Expected array, received string; it is "bern"'],
  ["a day that no calendar has", "seasons.json", add("seasons", { ...aSeason, dates: [{ from: "02-01", to: "02-31" }] }), 'one.dates.0.to: Not a day of the calendar; it is "02-31"'],
  ["an address without a host", "operator.json", put("termsUrl", "terms"), 'termsUrl: Not a web address such as https://transfers.example; it is "terms"'],
  ["a duplicate corridor", "corridors.json", repeat("corridors"), "zurich-airport-to-zurich: duplicate"],
  ["a duplicate place", "places/airports.json", repeat("places"), /[a-z-]+-airport: duplicate/],
  ["a duplicate node", "roads/central.json", repeat("nodes"), /nodes\.[a-z0-9-]+: duplicate/],
  ["a duplicate road", "roads/central.json", ({ edges: [edge], edges }) => edges.push({ ...edge, from: edge.to, to: edge.from }), /edges\.[a-z0-9-]+ [a-z0-9-]+: duplicate/],
  ["a duplicate zone", "zones.json", add("zones", aZone, aZone), "town: duplicate"],
];

/** Between files, which are looked for where every file matches its schema. */
// biome-ignore format: a table reads by its columns
const MISTAKES_BETWEEN: readonly Mistake[] = [
  ["a place of an unknown country", "places/airports.json", put("places.0.country", "XX"), /\.country: unknown country XX/],
  ["a place of an unknown canton", "places/airports.json", put("places.0.canton", "XX"), /\.canton: unknown canton XX/],
  ["a place without a position", "places/resorts-west.json", zermatt((place) => Object.assign(place, { lat: undefined, lng: undefined })), "zermatt: lat and lng are missing"],
  ["an unknown placeholder", "policies.json", put("policies.0.text", "{leadTime}"), "cancellation.text: unknown placeholder {leadTime}"],
  ["an inherited placeholder", "requirements.json", put("notes", "{constructor.length}"), "notes: unknown placeholder {constructor.length}"],
  ["a car-free drop-off", "places/resorts-west.json", zermatt(({ carFree }) => (carFree.carStop = "saas-fee")), "zermatt.carFree.carStop: cars do not reach saas-fee"],
  ["a translation with an unknown placeholder", "translations.json", ({ texts }) => { const policy = Object.keys(texts).find((text) => text.includes("{fullRefundCutoffHours}")) ?? ""; texts[policy].fr = "Jusqu’à {hours} heures"; }, "cancellation: unknown placeholder {hours}"],
  ["a meeting point at a town", "operator.json", put("meetingPoints", { bern: "Here." }), "meetingPoints.bern: unknown airport"],
  ["a text of an unknown corridor", "operator.json", put("corridorTexts", { x: "Here." }), "corridorTexts.x: unknown corridor"],
  ["a zone with a place's id", "zones.json", add("zones", { ...aZone, id: "bern" }), "bern: a place has this id"],
  ["a fare of no class", "fares.json", add("fares", { ...aFare, rappen: { x: 1 } }), "one.rappen.x: unknown vehicle class x"],
  ["a season of no class", "seasons.json", add("seasons", { ...aSeason, classes: ["x"] }), /unknown vehicle class x/],
  ["a booking window of no class", "availability.json", add("bookingWindows", { id: "one", leadTimeHours: 1, classes: ["x"] }), "bookingWindows.one.classes.0: unknown vehicle class x"],
];

/** `audit/planted-mistakes.ts` has the mistakes that operators make; these are the others that no schema accepts. */
suite("a mistake in the catalog is reported with file and path", () => {
  for (const batch of [...inBatches(MISTAKES), ...inBatches(MISTAKES_BETWEEN)]) {
    test(batch.map(([name]) => name).join("; "), (t) => {
      const catalogDir = aCatalogFolder(t);
      for (const [, file, change] of batch) changeCatalog(catalogDir, file, change);
      const { name: kind, message } = refusalOf(catalogDir);
      assert.equal(kind, "CatalogError", message);
      assert.ok(message.startsWith(catalogDir), message);
      for (const [name, file, , where] of batch) {
        const lines = message.split("\n").filter((line) => line.includes(file));
        const isNamed = (line: string) =>
          typeof where === "string" ? line.includes(`${file} at ${where}`) : where.test(line);
        assert.ok(lines.some(isNamed), `${name}: ${message}`);
      }
    });
  }

  test("all mistakes in several files and records at once", (t) => {
    const catalogDir = aCatalogFolder(t);
    changeCatalog(catalogDir, "vehicle-classes.json", put("vehicleClasses.0.type", {}));
    const clients = [
      { id: "bellevue", label: "Hotel", percent: 120 },
      { id: "agency", percnt: 5 },
    ];
    writeFileSync(join(catalogDir, "clients.json"), JSON.stringify({ clients }));
    const [head, ...lines] = refusalOf(catalogDir).message.split("\n");
    assert.ok(head?.startsWith(`${catalogDir} has 3 `), head);
    assert.deepEqual(lines.toSorted(), [
      "- clients.json at agency.percnt: unknown field; allowed: id, label, percent, budgets, commissionPercent",
      "- clients.json at bellevue.percent: Number must be less than or equal to 100; it is 120",
      "- vehicle-classes.json at sedan.type: Expected string, received object; it is {}",
    ]);
  });

  test("a logo that is missing, no picture, or too large", (t) => {
    const catalogDir = aCatalogFolder(t);
    const refused = (logo: string) => {
      changeCatalog(catalogDir, "operator.json", (operator) => (operator.logo = logo));
      return refusalOf(catalogDir).message;
    };
    assert.match(refused("logo.svg"), /operator\.json at logo: the folder has no file logo\.svg: add it$/);
    writeFileSync(join(catalogDir, "logo.png"), "<svg/>");
    assert.match(refused("logo.png"), /logo\.png: not a picture in PNG$/);
    writeFileSync(join(catalogDir, "logo.svg"), `<svg>${" ".repeat(64 * 1024)}</svg>`);
    assert.match(refused("logo.svg"), /logo\.svg: 65547 bytes; at most 65536 are allowed$/);
  });

  test("invalid JSON, a missing file, sub-folder and folder", (t) => {
    const catalogDir = aWholeCatalog(t);
    const roads = join(catalogDir, "roads");
    renameSync(roads, `${roads}-kept`);
    assert.match(refusalOf(catalogDir).message, /roads: missing$/);
    renameSync(`${roads}-kept`, roads);
    writeFileSync(join(catalogDir, "tariff.json"), "{ no json");
    assert.match(refusalOf(catalogDir).message, /tariff\.json: invalid JSON at line 1, column 3 \(/);
    rmSync(join(catalogDir, "tariff.json"));
    assert.match(refusalOf(catalogDir).message, /tariff\.json: missing$/);
    rmSync(catalogDir, { recursive: true });
    assert.match(refusalOf(catalogDir).message, /: cannot be read \(ENOENT/);
  });
});

// biome-ignore format: a table reads by its columns
const NO_JSON = [
  ["a comma too many", '{\n  "zones": [],\n}', "line 3, column 1"], ["a comma too few", '{\n  "zones": []\n  "x": 1\n}', "line 3, column 3"],
  ["single quotes", "{'zones': []}", "line 1, column 2"], ["a comment", '{\n  // mine\n  "zones": []\n}', "line 2, column 3"],
  ["no end", '{\n  "zones": [', "line 2, column 13"], ["a tab in a text", '{"zones": [{"id": "a\tb"}]}', "line 1, column 19"],
  ["two objects", '{"zones": []}\n{}', "line 2, column 1"], ["no quotes", "{\n  zones: []\n}", "line 2, column 3"],
  ["nothing", "", "line 1, column 1"], ["a byte order mark before a mistake", '\uFEFF{"zones": [],}', "line 1, column 14"],
] as const;
for (const [what, text, place] of NO_JSON)
  test(`a file that is no JSON is reported with line and column: ${what}`, (t) => {
    const { message } = refusalOf(folderOf(t, new Map([["zones.json", text]])));
    assert.ok(message.includes(`zones.json: invalid JSON at ${place} (`), message);
  });

/** Mistakes of different files: a catalog is read once for all of them. */
function inBatches(mistakes: readonly Mistake[]): readonly (readonly Mistake[])[] {
  const batches: Mistake[][] = [];
  for (const each of mistakes) {
    const free = batches.find((batch) => batch.every((other) => fileOf(other) !== fileOf(each)));
    if (free) free.push(each);
    else batches.push([each]);
  }
  return batches;
}

/** Placeholders of a translation are compared with those of its policy, which needs to be right. */
function fileOf([, file]: Mistake): string {
  return file === "policies.json" ? "translations.json" : file;
}

function refusalOf(catalogDir: string): Error {
  try {
    pricingOf(loadCatalog(catalogDir));
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  return assert.fail("the catalog was accepted");
}

/** Sets the value at a dotted path; `undefined` leaves the field out. */
function put(path: string, value: unknown): Change {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  return (content) => {
    const parent: Fields = keys.reduce((inner: Fields, key) => inner[key], content);
    parent[last] = value;
  };
}

function add(list: string, ...entries: readonly object[]): Change {
  return (content) => content[list].push(...entries);
}

/** Lists the first entry once more. */
function repeat(list: string): Change {
  return (content) => content[list].push(content[list][0]);
}

/** Changes a car-free place. */
function zermatt(change: Change): Change {
  return ({ places }) => change(places.find((place: Fields) => place.id === "zermatt"));
}
