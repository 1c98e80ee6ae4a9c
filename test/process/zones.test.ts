import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import type { Fields } from "../support/mcp-client.ts";

const LUGANO = { id: "lugano-zone", country: "CH", postcodes: ["6900"] };

function aFare(id: string, from: string, to: string, sedan: number) {
  return {
    id,
    label: `Fixed fare ${id}`,
    routes: [{ from, to, bothWays: true }],
    rappen: { sedan },
    includes: ["fees"],
  };
}

/** The labels of a sedan's price lines, and the corridor's kilometers, as the built command prints them. */
async function priced(t: TestContext, catalog: string, origin: string, destination: string) {
  const args = ["quote", origin, destination, "--at", "2027-03-09 12:00", "--json", "--catalog", catalog];
  const { code, stdout, stderr } = await runCommand(t, args);
  assert.equal(code, 0, stderr);
  const quote: Fields = JSON.parse(stdout);
  const { price_lines: lines } = quote.options.find((option: Fields) => option.vehicle_class === "sedan");
  return { lines: lines.map(({ label }: Fields) => label), km: quote.route_basis.distance_km };
}

suite("a zone of postcodes", () => {
  test("is in one country, and contains each place that has one of them", async (t) => {
    const catalog = aCatalogFolder(t);
    changeCatalog(catalog, "zones.json", ({ zones }) => zones.push(LUGANO));
    const fare = aFare("lugano", "zurich-airport", "lugano-zone", 65_000);
    changeCatalog(catalog, "fares.json", ({ fares }) => fares.push(fare));
    const { stdout } = await runCommand(t, ["check", "--catalog", catalog]);
    const listed = stdout.replaceAll(/\n {2}/g, " ");
    assert.match(listed, /- lugano-zone contains (?:\S+, )*lugano\b/);
    assert.match(listed, /^availability\.json +own +1 stopSales, 1 bookingWindows$/m);
    const linesTo = async (place: string) => (await priced(t, catalog, "Zurich Airport", place)).lines;
    assert.deepEqual(await linesTo("Lugano"), ["Fixed fare lugano"]);
    // 6900 is a postcode of Bregenz, too, in Austria.
    assert.match((await linesTo("Bregenz"))[0], /^Transfer /);
  });
});

suite("a part of a town", () => {
  test("has the fares, zones and corridors of the town", async (t) => {
    const catalog = aCatalogFolder(t);
    changeCatalog(catalog, "fares.json", ({ fares }) => fares.push(aFare("davos", "zurich-airport", "davos", 50_000)));
    const town = await priced(t, catalog, "Zurich Airport", "Davos");
    for (const part of ["Davos Platz", "Davos Dorf", "Davos Platz Station", "46.7945, 9.822"])
      assert.deepEqual(await priced(t, catalog, "Zurich Airport", part), town, part);
    const congress = ["quote", "Bern", "Davos Dorf", "--at", "2027-01-19 12:00", "--catalog", catalog];
    assert.match((await runCommand(t, congress)).stdout, /Congress week surcharge/);
  });

  test("has a fare of its own, also where the town has one and a zone contains both", async (t) => {
    const catalog = aCatalogFolder(t);
    const fares = [
      aFare("valley", "zurich-airport", "davos-valley", 49_000),
      aFare("davos", "zurich-airport", "davos", 50_000),
      aFare("dorf", "zurich-airport", "davos-dorf", 51_000),
    ];
    changeCatalog(catalog, "fares.json", (file) => (file.fares = fares));
    const lineTo = async (place: string) => (await priced(t, catalog, "Zurich Airport", place)).lines[0];
    assert.equal(await lineTo("Davos Dorf"), "Fixed fare dorf");
    assert.equal(await lineTo("Davos Platz"), "Fixed fare davos");
    assert.equal(await lineTo("Schatzalp"), "Fixed fare valley");
  });
});
