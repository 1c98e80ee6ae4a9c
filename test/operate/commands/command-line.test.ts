import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { commands } from "../../../src/operate/commands/main.ts";
import { settings } from "../../../src/operate/config/settings.ts";
import { packageVersion } from "../../../src/ops/package-root.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import { aFolder } from "../../support/lifetime.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

test("help lists every command and --version prints the version", async (t) => {
  for (const word of ["help", "--help", "-h"]) {
    const { code, stdout, stderr } = await runCommand(t, [word]);
    assert.equal(code, 0);
    assert.equal(stderr, "");
    for (const name of Object.keys(commands)) assert.match(stdout, new RegExp(`^ {2}${name} `, "m"));
    assertNarrow(stdout);
  }
  assert.deepEqual(await runCommand(t, ["--version"]), { code: 0, stdout: `${packageVersion}\n`, stderr: "" });
});

test("each command has a help that fits 80 columns, and that of serve lists every setting", async (t) => {
  for (const [name, { usage }] of Object.entries(commands)) {
    const { code, stdout, stderr } = await runCommand(t, [name, "--port", "x", "--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(stdout.startsWith(`Usage: transfer-quote-mcp ${usage} [OPTIONS]\n`), stdout);
    assertNarrow(stdout);
    assert.equal((await runCommand(t, ["help", name])).stdout, stdout);
  }
  const { stdout } = await runCommand(t, ["serve", "-h"]);
  for (const { variable, schema, shown } of Object.values(settings)) {
    for (const part of [variable, schema.description ?? "no description", shown.replaceAll("`", "")])
      assert.ok(stdout.replaceAll(/\s+/g, " ").includes(part), part);
  }
});

function assertNarrow(text: string): void {
  for (const line of text.split("\n")) assert.ok(line.length <= 80, line);
}

test("token issues a token with the requested scopes and subject, by default with all scopes", async (t) => {
  const env = { TRANSFER_DATA_DIR: aFolder(t), TRANSFER_HTTP_PORT: "3999" };
  const all = await runCommand(t, ["token"], env);
  assert.equal(all.code, 0);
  assert.match(all.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  assert.equal(claimsOf(all.stdout).iss, "http://127.0.0.1:3999/dev-auth");
  assert.equal(claimsOf(all.stdout).scope, "quote:create quote:read-own checkout:prepare discovery");
  const one = await runCommand(t, ["token", "--scope", "quote:create,discovery", "--subject", "agent-7"], env);
  assert.equal(claimsOf(one.stdout).scope, "quote:create discovery");
  assert.equal(claimsOf(one.stdout).sub, "agent-7");
  assert.equal(claimsOf(one.stdout).client_id, "demo");
  const ofClient = await runCommand(t, ["token", "--client", "hotel"], env);
  assert.equal(claimsOf(ofClient.stdout).client_id, "hotel");
});

test("check exits with 0 when everything works and with 1 when a dependency fails", async (t) => {
  const right = await runCommand(t, ["check"]);
  assert.equal(right.code, 0, right.stderr);
  for (const name of ["configuration", "catalog", "quotes", "router", "identity"]) {
    assert.match(right.stdout, new RegExp(`${name}  +ok\\b`));
  }
  const env = { TRANSFER_AUTH_ISSUER: "http://127.0.0.1:1/", TRANSFER_AUTH_AUDIENCE: "x" };
  const wrong = await runCommand(t, ["check"], env);
  assert.equal(wrong.code, 1, wrong.stderr);
  assert.match(wrong.stdout, /identity {2,}FAULT/);
  assert.match(wrong.stdout, /sign-in: metadata {2,}missing/);
  assert.doesNotMatch(right.stdout, /sign-in/);
  assert.match(right.stdout, /sandbox {2,}on\b/);
  assert.match(wrong.stdout, /sandbox {2,}off\b/);
  const noGeocoder = { TRANSFER_GEOCODER: "photon", TRANSFER_GEOCODER_URL: "http://127.0.0.1:1/" };
  const impaired = await runCommand(t, ["check"], noGeocoder);
  assert.equal(impaired.code, 1, impaired.stderr);
  assert.match(impaired.stdout, /geocoder {2,}FAULT/);

  for (const line of right.stdout.split("\n")) assert.ok(line.length <= 80, line);
});

test("check --json has the rows and findings of its table", async (t) => {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "tariff.json", (tariff) => (tariff.rates.sedan.baseRappen = -1));
  const [json, table] = [
    await runCommand(t, ["check", "--catalog", folder, "--json"]),
    await runCommand(t, ["check", "--catalog", folder]),
  ];
  const { rows, findings } = JSON.parse(json.stdout);
  assert.equal(json.code, 1);
  for (const { name, state } of rows) assert.match(table.stdout, new RegExp(`^${name} +${state}`, "m"));
  assert.deepEqual(
    findings.map(({ severity, file, path }: Fields) => `${severity} ${file} ${path}`),
    ["mistake tariff.json rates.sedan.baseRappen"],
  );
});

test("quote prints the price of a journey and stores nothing", async (t) => {
  const TRANSFER_DATA_DIR = join(aFolder(t), "untouched");
  const at = ["--at", String(aRealJourney().pickup_datetime)];
  const stops = ["--via", "Olten", "--via", "Solothurn", "--passengers", "5"];
  const args = ["quote", "Zurich Airport", "Bern", ...at, ...stops];
  const { code, stdout, stderr } = await runCommand(t, args, { TRANSFER_DATA_DIR });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Zurich Airport → Bern\n.*\s· via Olten, Solothurn\n/);
  assert.match(stdout, /\d+(\.\d)? km, \d h \d+ min \(EMBEDDED_ROAD_NETWORK/);
  assert.match(stdout, /^Van, [^\n]+ +7 +8 +\d+\.[0-9][05]$/m);
  assertNarrow(stdout);
  assert.throws(() => readdirSync(TRANSFER_DATA_DIR), { code: "ENOENT" });
});

test("quote takes party, luggage, local times and a return, explains the price, and prints what the API returns", async (t) => {
  const party = "--passengers 3 --children 1 --adults 2 --luggage 4 --waiting 90 --item skis=2 --item snowboard";
  const times = ["--at", "2026-12-25 02:00", "--return", "2026-12-28"];
  const journey = ["quote", "Zurich Airport", "Davos", ...party.split(" "), ...times];
  const env = { TRANSFER_CATALOG_DIR: aCatalogFolder(t) };
  // Whenever the test runs.
  changeCatalog(env.TRANSFER_CATALOG_DIR, "tariff.json", (tariff) => (tariff.horizonDays = 3_650));
  const year = new Date().getUTCFullYear() + 1;
  const args = journey.map((arg) => arg.replace("2026-", `${year}-`));
  const { stdout, stderr } = await runCommand(t, [...args, "--json"], env);
  const quoted = JSON.parse(stdout || assert.fail(stderr));
  assert.equal(quoted.pickup_datetime, `${year}-12-25T02:00:00+01:00`);
  assert.equal(quoted.return_datetime, `${year}-12-28T12:00:00+01:00`);
  assert.deepEqual([quoted.passengers, quoted.adults, quoted.children, quoted.luggage], [3, 2, 1, 4]);
  const items = [
    { kind: "skis", count: 2 },
    { kind: "snowboard", count: 1 },
  ];
  assert.deepEqual(quoted.special_items, items);
  assert.deepEqual([quoted.status, quoted.quote_id], ["estimate", undefined]);
  const explained = await runCommand(t, [...args, "--explain"], env);
  assertNarrow(explained.stdout);
  assert.match(explained.stdout, /^Outbound: Free cancellation until .*; after that/m);
  const tiers = [{ hours: 12, percent: 50 }];
  changeCatalog(env.TRANSFER_CATALOG_DIR, "policies.json", ({ policies }) => (policies[0].partialRefunds = tiers));
  const tiered = (await runCommand(t, args, env)).stdout;
  assert.match(tiered, /^Outbound: Free cancellation until /m);
  assert.equal(tiered.match(/50\s%/g)?.length, 2, "once for each direction");
  assert.match(explained.stdout, new RegExp(`^\\w+,? 25 December ${year} \\(Europe/Zurich\\)$`, "m"));
  assert.match(explained.stdout, new RegExp(`^Tariff ${defaultCatalog.catalog.tariff.version}; VAT included$`, "m"));
  assert.match(explained.stdout, /^ {2}02:00 {10}.+ \((Pickup|Landing.*)\)$/m);
  for (const { vehicle_type, total_price, price_lines } of quoted.options) {
    const lines = price_lines.map(({ label, amount }: Fields) => [`- ${label}`, amount.toFixed(2)]);
    assert.ok(lines.length >= 4, vehicle_type);
    for (const [name, amount] of [[vehicle_type, total_price.toFixed(2)], ...lines])
      assert.ok(
        explained.stdout.split("\n").some((line) => line.startsWith(name) && line.endsWith(` ${amount}`)),
        name,
      );
  }
});

test("quote counts back from an arrival, with the number of the flight", async (t) => {
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const args = ["quote", "Bern", "Zurich Airport", "--arrive-by", `${tomorrow} 23:00`, "--flight", "LX 39", "--json"];
  const { stdout, stderr } = await runCommand(t, args);
  const quoted = JSON.parse(stdout || assert.fail(stderr));
  assert.ok(quoted.arrival_datetime.startsWith(`${tomorrow}T22:5`), quoted.arrival_datetime);
  assert.equal(quoted.flight_number, "LX 39");
  const both = await runCommand(t, [...args, "--at", tomorrow]);
  assert.match(both.stderr, /^ {2}--at: Send pickup_datetime or arrive_by, not both\.\n {2}--arrive-by: /m);
});

test("quote names the option of a problem, and fails", async (t) => {
  // biome-ignore format: a table reads by its columns
  const WRONG = [
    [["Thun", "--item", "sled"], /^INVALID_REQUEST:\n {2}--item 1: [^\n]+\n$/],
    [["Thun", "--passengers", "0", "--large-luggage", "many"], /^ {2}--passengers: Must be at least 1, not 0\.\n {2}--large-luggage: Must be a whole number, not "many"/m],
    [["Thun", "--hours", "", "--adults=-1"], /^INVALID_REQUEST:\n {2}--adults: Must be at least 0, not -1\.\n {2}--hours: Must be a number, not "": hours of the hire, with booking_type hourly\.\n$/],
    [["Bern", "--hours", "3", "--return", "2027-01-01"], /^INVALID_REQUEST:\n {2}--return: An hourly hire has no return/],
    [["Nowhere at all"], /^INVALID_LOCATION: [^\n]*\n$/],
  ] as const;
  for (const [args, says] of WRONG) {
    const { code, stdout, stderr } = await runCommand(t, ["quote", "Bern", ...args]);
    assert.deepEqual([code, stdout], [1, ""], stderr);
    assert.match(stderr, says);
  }
});

test("quote prices a pickup tomorrow without --at, and a hire by the hour without a destination", async (t) => {
  assert.equal((await runCommand(t, ["quote", "Bern", "Chur"])).code, 0);
  const hire = await runCommand(t, ["quote", "Bern", "--hours", "3", "--json"]);
  assert.match(JSON.parse(hire.stdout).limitations.join(), /Hire of 3 h/);
});

const NOON = "2027-01-20";

test("prices fits 80 columns, and its table, CSV and JSON have the same rows", async (t) => {
  const printed = async (...format: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(t, ["prices", "--on", NOON, ...format]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const [table, csv, json] = [await printed(), await printed("--csv"), await printed("--json")];
  assertNarrow(table);
  const { version } = defaultCatalog.catalog.tariff;
  assert.ok(table.includes(`\nPickup Wed 2027-01-20 12:00 (Europe/Zurich), tariff ${version}\n`), table);
  const rows: Fields[] = JSON.parse(json);
  assert.ok(rows.length >= 25 * defaultCatalog.catalog.vehicleClasses.length);
  const [head, ...lines] = csv.trimEnd().split("\n");
  assert.equal(head, "route_key,vehicle_class,chf,on_request");
  const texts = rows.map(({ chf, ...row }) => Object.values({ ...row, chf: chf.toFixed(2) }));
  for (const [n, [key, vehicleClass, isOnRequest, chf]] of texts.entries()) {
    assert.equal(lines[n], [key, vehicleClass, chf, isOnRequest].join());
    assert.match(table, new RegExp(`^${key} +${vehicleClass} +${chf} +${isOnRequest}$`, "m"));
  }
});

/** A catalog with a few corridors of the packaged one. */
function ofFewCorridors(t: TestContext): string {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "corridors.json", (file) => {
    file.corridors = file.corridors.filter(({ key }: Fields) =>
      /zurich-airport.*(lucerne|davos)|lucerne-to-/.test(key),
    );
  });
  return folder;
}

test("prices --before shows what one changed fare changes, in both directions, as table and CSV", async (t) => {
  const [before, after] = [ofFewCorridors(t), ofFewCorridors(t)];
  const fare = {
    id: "lucerne-special",
    label: "Fixed fare Lucerne",
    routes: [{ from: "zurich-airport", to: "lucerne", bothWays: true }],
    includes: ["fees", "place_fees", "night", "holidays", "seasons"],
  };
  for (const [folder, sedan] of [
    [before, 20_000],
    [after, 21_050],
  ] as const)
    changeCatalog(folder, "fares.json", ({ fares }) => fares.push({ ...fare, rappen: { sedan } }));
  const printed = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(t, ["prices", "--on", NOON, "--catalog", after, ...args]);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const table = await printed("--before", before);
  assertNarrow(table);
  assert.match(table, /^[^\n]+\n[^\n]+ → \S+\n\n/);
  for (const key of ["zurich-airport-to-lucerne", "lucerne-to-zurich-airport"])
    assert.match(table, new RegExp(`^${key} +sedan +200\\.00 +210\\.50 +10\\.50 +false$`, "m"));
  assert.equal(await printed("--before", before, "--csv"), CHANGED);
  const all: Fields[] = JSON.parse(await printed("--before", before, "--json", "--all"));
  assert.deepEqual(
    all.map((row) => row.after),
    JSON.parse(await printed("--json")).map(({ chf }: Fields) => chf),
  );
  assert.equal(await printed("--before", after, "--json"), "[]\n");
  assert.equal((await runCommand(t, ["prices", "--all"])).stderr, "--all needs --before FOLDER\n");
});

test("prices shows a hire of the least hours of a class, from where it begins", async (t) => {
  const folder = ofFewCorridors(t);
  changeCatalog(folder, "tariff.json", ({ rates }) => (rates.coach.minimumHours = 10));
  const { stdout } = await runCommand(t, ["prices", "--on", NOON, "--catalog", folder, "--csv"]);
  assert.deepEqual(stdout.match(/^hire-.*,coach/gm), ["hire-of-10-h-from-zurich-airport,coach"]);
});

test("prices --before shows changed rates of a hire", async (t) => {
  const [before, after] = [ofFewCorridors(t), ofFewCorridors(t)];
  changeCatalog(after, "tariff.json", ({ rates }) => (rates.van.furtherHourRappen += 500));
  const { stdout } = await runCommand(t, ["prices", "--on", NOON, "--catalog", after, "--before", before, "--csv"]);
  const rows = stdout.trim().split("\n").slice(1);
  assert.deepEqual(
    rows.map((row) => [row.split(",", 2).join(), row.split(",")[4]]),
    [
      ["hire-of-4-h-from-zurich-airport,van", "15.00"],
      ["hire-of-8-h-from-zurich-airport,van", "35.00"],
    ],
  );
});

const CHANGED = `route_key,vehicle_class,before,after,change,on_request
zurich-airport-to-lucerne,sedan,200.00,210.50,10.50,false
lucerne-to-zurich-airport,sedan,200.00,210.50,10.50,false
`;

test("prices takes a local time, and names a corridor without a price", async (t) => {
  const catalog = ofFewCorridors(t);
  const closed = {
    id: "closed",
    offer: "none",
    reason: "Closed.",
    routes: [{ from: "zurich-airport", to: "lucerne" }],
  };
  changeCatalog(catalog, "service-rules.json", ({ rules }) => rules.unshift(closed));
  changeCatalog(catalog, "tariff.json", (tariff) => (tariff.timeZone = "Asia/Tokyo"));
  const night = await runCommand(t, ["prices", "--on", "2027-03-28 02:30"], { TRANSFER_CATALOG_DIR: catalog });
  assert.equal(night.code, 0, night.stderr);
  assert.match(night.stderr, /^zurich-airport-to-lucerne: UNSUPPORTED_ROUTE: [^\n]*Closed\.[^\n]*\n$/);
  assert.match(night.stdout, /\nPickup Sun 2027-03-28 02:30 \(Asia\/Tokyo\)/);
  assert.match(night.stdout, /\nzurich-airport-to-davos +sedan +\d+\.\d\d /);
});
