import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { auditFolder } from "../../../src/operate/commands/check.ts";
import { packagedCatalog, packageRoot } from "../../../src/ops/package-root.ts";
import { aCatalogFolder, changeCatalog, folderOf } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { aFolder } from "../../support/lifetime.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { ownCatalog } from "../../support/own-catalog.ts";
import { aSchema, asking, withPostgres } from "../../support/postgres.ts";
import { aService } from "../../support/service.ts";

const [OLD, NEW] = ["an-old-secret-of-the-checkout-links", "a-newer-secret-of-the-checkout-links"];

const edit = (file: string, change: (content: Fields) => void) => (folder: string) =>
  changeCatalog(folder, file, change);

function placeFee(folder: string, rest: object): void {
  const fee = { id: "parking", label: "Parking", places: ["scuol"], rappen: 600, ...rest };
  writeFileSync(join(folder, "place-fees.json"), JSON.stringify({ placeFees: [fee] }));
}

/** With what the catalog does not load. */
// biome-ignore format: a table reads by its columns
const BROKEN: readonly (readonly [(folder: string) => void, string])[] = [
  [edit("tariff.json", ({ rates }) => delete rates.coach), "rates.coach: missing"],
  [(folder) => placeFee(folder, { places: ["atlantis"] }), "parking.places.0: unknown place or zone atlantis"],
  [edit("corridors.json", ({ corridors }) => (corridors[0].destination = "atlantis")), "zurich-airport-to-zurich.destination: unknown place atlantis"],
];

/** With what a file does not fit its schema. */
// biome-ignore format: a table reads by its columns
const MISFIT: readonly (readonly [(folder: string) => void, string])[] = [
  [edit("vehicle-classes.json", ({ vehicleClasses }) => (vehicleClasses[1].passengerCapacity = 0)), "vehicle-classes.json at estate.passengerCapacity: "],
  [edit("tariff.json", (tariff) => Object.assign(tariff, { leadTimeHours: -1, horizonDays: "a year" })), "tariff.json at horizonDays: "],
  [(folder) => writeFileSync(join(folder, "luggage.json"), "{"), "luggage.json: invalid JSON"],
];

suite("check of a catalog", () => {
  test("finds nothing in the packaged one but its example operator, in one line", async () => {
    const { findings } = auditFolder(packagedCatalog, packagedCatalog);
    assert.deepEqual(
      findings.map(({ severity, file }) => `${severity} ${file}`),
      ["warning operator.json"],
    );
    assert.match(
      findings[0]?.text ?? "",
      /^placeholders of the example, state your own: name Example Transfers, phone /,
    );
  });

  test("finds prices that changed under the same version since an earlier one of the operator's own", (t) => {
    const [before, after] = [aCatalogFolder(t), aCatalogFolder(t)];
    for (const folder of [before, after]) edit("tariff.json", (tariff) => (tariff.version = "own-1"))(folder);
    edit("seasons.json", ({ seasons }) => (seasons[0].percent = 30))(after);
    const changes = (since: string) =>
      auditFolder(after, since).findings.filter(({ path }) => path === "version").length;
    assert.deepEqual([changes(packagedCatalog), changes(before)], [0, 1]);
  });

  test("names a closure far ahead once", (t) => {
    const folder = aCatalogFolder(t);
    const [from, to] = ["12-01", "12-02"].map((day) => `${new Date().getFullYear() + 11}-${day}`);
    const closure = { id: "late", road: "Julier Pass", from, to, reason: "Roadworks." };
    writeFileSync(join(folder, "closures.json"), JSON.stringify({ closures: [closure] }));
    const { findings } = auditFolder(folder, folder);
    assert.deepEqual(
      findings.filter(({ path }) => path === "late").map(({ text }) => text),
      [`begins on ${from}: correct the year`],
    );
  });

  test("prints the days of each season, so that two that are swapped stand out", async (t) => {
    const folder = folderOf(t, ownCatalog());
    edit(
      "seasons.json",
      ({ seasons: [, quiet] }) => (quiet.dates = [{ from: "2031-05-31", to: "2032-04-20" }]),
    )(folder);
    edit("seasons.json", ({ seasons }) => seasons.push({ id: "fuel", label: "Parking", percent: 4 }))(folder);
    const { stdout } = await runCommand(t, ["check", "--catalog", folder]);
    const listed = /^Seasons:\n((?:- .*\n)+)/m.exec(stdout)?.[1]?.trim().split("\n");
    assert.deepEqual(listed, [
      "- winter 12 %, 12-20 to 03-15 (86 days)",
      "- quiet -5 %, 2031-05-31 to 2032-04-20 (326 days)",
      "- fuel 4 %, without dates",
    ]);
  });

  test("exits with 0 for a warning alone, and with 1 under --strict", async (t) => {
    const folder = aCatalogFolder(t);
    edit("tariff.json", ({ rates }) => (rates.limo = rates.sedan))(folder);
    const { code, stdout } = await runCommand(t, ["check", "--catalog", folder]);
    assert.equal(code, 0);
    assert.match(stdout, /\nWarnings in the catalog:\n[\s\S]*- tariff\.json at rates\.limo: /);
    assert.equal((await runCommand(t, ["check", "--strict", "--catalog", folder])).code, 1);
  });

  test("exits with 1 under --strict for a row with a warning, such as one of a class without vehicles", async (t) => {
    const folder = folderOf(t, ownCatalog());
    const [begin, end] = ["20200101T000000Z", "20990101T000000Z"];
    const event = `BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:van\r\nDTSTART:${begin}\r\nDTEND:${end}\r\nEND:VEVENT`;
    const calendar = join(aFolder(t), "taken.ics");
    writeFileSync(calendar, `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${event}\r\nEND:VCALENDAR\r\n`);
    const check = async (...more: readonly string[]) => {
      const args = ["check", "--catalog", folder, "--before", folder, "--availability-url", calendar, ...more];
      return (await runCommand(t, args, {}, packageRoot)).code;
    };
    assert.deepEqual([await check("--strict"), await check()], [1, 0]);
    edit("vehicle-classes.json", ({ vehicleClasses }) => {
      for (const each of vehicleClasses) each.vehicles = 2;
    })(folder);
    assert.equal(await check("--strict"), 0);
  });

  test("finds a fault where customers would be sold the example, and a warning in a misspelled setting", async (t) => {
    const env = {
      ...{ TRANSFER_DATA_DIR: aFolder(t), TRANSFER_ISSUER: "embedded" },
      ...{ TRANSFER_PUBLIC_URL: "https://quotes.test", TRANSFER_TRUST_PROXY: "loopback" },
    };
    const rowsOf = async (settings: Readonly<Record<string, string>>) => {
      const { stdout, code } = await runCommand(t, ["check", "--json"], settings);
      return { code, rows: JSON.parse(stdout).rows.map(({ name, state, text }: Fields) => `${name} ${state} ${text}`) };
    };
    const example = await rowsOf({ ...env, TRANSFER_CATALOGDIR: aCatalogFolder(t), TRANSFER_SOMETHING: "1" });
    assert.equal(example.code, 1);
    assert.deepEqual(
      example.rows.filter((row: string) => /^(configuration|catalog) /.test(row)),
      [
        "configuration WARNING unknown: TRANSFER_CATALOGDIR; did you mean TRANSFER_CATALOG_DIR?, unknown: TRANSFER_SOMETHING",
        "catalog FAULT the prices of the example would be sold: set TRANSFER_CATALOG_DIR to a folder of your own, which init starts",
      ],
    );
    const own = await rowsOf({ ...env, TRANSFER_CATALOG_DIR: aCatalogFolder(t), TRANSFER_SOMETHING: "1" });
    assert.equal(own.code, 0);
    assert.ok(own.rows.includes("configuration ok unknown: TRANSFER_SOMETHING"), own.rows);
  });

  test("exits with 1 for mistakes, and lists all of them between files, and where a file does not fit its schema those of all files", async (t) => {
    const folder = aCatalogFolder(t);
    for (const table of [BROKEN, MISFIT]) {
      for (const [spoil] of table) spoil(folder);
      const { code, stdout } = await runCommand(t, ["check", "--catalog", folder]);
      assert.equal(code, 1);
      const listed = stdout.replaceAll(/\n {2}/g, " ");
      assert.ok(listed.includes("\nThe catalog cannot be used:\n- "), stdout);
      for (const [, mistake] of table) assert.ok(listed.includes(mistake), `${mistake}\n${stdout}`);
    }
  });

  test("accepts the overlay that init starts, which overwrites nothing", async (t) => {
    const folder = join(aFolder(t), "mine");
    const first = await runCommand(t, ["init", folder]);
    assert.equal(first.code, 0, first.stderr);
    const checked = await runCommand(t, ["check", "--catalog", folder]);
    assert.equal(checked.code, 0, checked.stdout);
    assert.match(checked.stdout, /^corridors\.json +packaged +\d+ corridors$/m);
    for (const own of ["operator.json", "tariff.json"]) assert.match(checked.stdout, new RegExp(`^${own} +own$`, "m"));
    assert.doesNotMatch(checked.stdout, /the version is still|translations\.json at/);
    const read = (file: string): Fields => JSON.parse(readFileSync(join(folder, file), "utf8"));
    const { texts } = read("translations.json");
    for (const { text } of read("policies.json").policies) assert.ok(texts[text]?.fr, text);
    const again = await runCommand(t, ["init", folder]);
    assert.deepEqual([again.code, again.stdout], [2, ""]);
    assert.match(again.stderr, /^\S+\/mine is not empty; allowed: [^\n]*\n$/);
    const file = await runCommand(t, ["init", join(packagedCatalog, "tariff.json")]);
    assert.match(file.stderr, /^\S+ cannot be written \(ENOTDIR\); [^\n]*\n$/);
  });
});

suite("check of a store", async () => {
  test("creates nothing in the data folder, and says what a start would create", async (t) => {
    const dataDir = join(aFolder(t), "new");
    const check = async () => (await runCommand(t, ["check", "--data", dataDir])).stdout.replaceAll(/\n +/g, " ");
    assert.match(
      await check(),
      /a start {2,}changes +creates format\.json, quotes, caller-hash-key, checkout-secret, development-keys\.json in \S+new\n/,
    );
    assert.equal(existsSync(dataDir), false);
    await (await aService(t, { env: { TRANSFER_DATA_DIR: dataDir } })).close();
    const before = readdirSync(dataDir, { recursive: true });
    assert.match(await check(), /a start {2,}ok +changes nothing\n/);
    assert.deepEqual(readdirSync(dataDir, { recursive: true }), before);
  });

  await withPostgres("check on PostgreSQL", () => {
    test("makes no tables in PostgreSQL, and records no secret", async (t) => {
      const url = await aSchema(t);
      const dataDir = aFolder(t);
      const settings = { TRANSFER_DATABASE_URL: url, TRANSFER_CHECKOUT_SECRET: OLD, TRANSFER_DATA_DIR: dataDir };
      const settingsIn = () => asking(url, "SELECT name, value FROM transfer_settings ORDER BY name");
      const check = async (env = {}) => {
        const { code, stdout } = await runCommand(t, ["check"], { ...settings, ...env });
        return { code, stdout: stdout.replaceAll(/\n +/g, " ") };
      };
      const fresh = await check();
      assert.equal(fresh.code, 0, fresh.stdout);
      assert.match(fresh.stdout, /a start {2,}changes [^\n]*migrates the database \(001-[^)]+\); records fingerprints/);
      const tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
      assert.deepEqual(await asking(url, tables), []);

      await (await aService(t, { env: settings })).close();
      const before = await settingsIn();
      assert.equal(before.length > 0, true);
      assert.match((await check()).stdout, /a start {2,}ok +changes nothing\n/);
      const { stdout } = await check({ TRANSFER_CHECKOUT_SECRET: `${OLD},${NEW}` });
      assert.match(stdout, /a start {2,}changes +records fingerprints of the checkout secrets in the database\n/);
      const unknown = await check({ TRANSFER_CHECKOUT_SECRET: NEW });
      assert.equal(unknown.code, 1);
      assert.match(unknown.stdout, /quotes {2,}FAULT +TRANSFER_CHECKOUT_SECRET is set, but the other processes/);
      assert.deepEqual(await settingsIn(), before);
    });
  });
});
