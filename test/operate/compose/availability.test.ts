import assert from "node:assert/strict";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { packageRoot } from "../../../src/ops/package-root.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { until } from "../../support/lifetime.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aService, request } from "../../support/service.ts";

/** A catalog with one sedan and two vans, and a copy of a calendar in its folder. */
function settings(t: TestContext) {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "vehicle-classes.json", ({ vehicleClasses }) => {
    for (const each of vehicleClasses)
      Object.assign(each, ({ sedan: { vehicles: 1 }, van: { vehicles: 2 } } as Fields)[each.id]);
  });
  const calendar = join(folder, "taken.ics");
  copyFileSync(new URL("../../adapters/availability/calendars/google.ics", import.meta.url), calendar);
  return { calendar, env: { TRANSFER_CATALOG_DIR: folder, TRANSFER_AVAILABILITY_URL: calendar } };
}

/** The clock shows 1 December 2026. */
const JOURNEY = {
  origin: "ZRH",
  destination: "Bern",
  passengers: 2,
  luggage: 2,
  pickup_datetime: "2026-12-08T13:00:00Z",
};

suite("a calendar of taken vehicles", () => {
  test("decides what a quote offers; while it is gone, health and metrics say so", async (t) => {
    const { calendar, env } = settings(t);
    const service = await aService(t, { env });
    const { publicUrl, api, clock } = service;
    const quoted = async () => {
      const { status, body, text } = await api("/quotes", { body: JOURNEY, token: await service.token() });
      assert.equal(status, 201, text);
      return body;
    };
    const classes = ({ options }: Fields) => options.map((each: Fields) => each.vehicle_class);
    // A start waits five seconds for the calendar, which a busy machine exceeds.
    await until(
      async () => (await request(`${publicUrl}/readyz`)).body.dependencies.availability === "ok",
      "it is read",
    );
    const first = await quoted();
    assert.deepEqual(classes(first), ["estate", "first_class", "van", "first_class_van"]);
    assert.ok(
      first.limitations.includes("Not offered at that time: Sedan. All of these vehicles are taken."),
      first.limitations,
    );
    const ready = await request(`${publicUrl}/readyz`);
    assert.deepEqual([ready.body.status, ready.body.dependencies.availability], ["ready", "ok"]);
    rmSync(calendar);
    await request(`${publicUrl}/healthz`);
    clock.advance(61 * 60_000);
    const later = await quoted();
    assert.ok(later.options.every((each: Fields) => each.on_request));
    assert.equal(later.requires_manual_confirmation, true);
    const { body: metrics, text } = await request(`${publicUrl}/metrics`);
    assert.equal(metrics, undefined);
    assert.match(text, /^transfer_calendar_age_seconds 3660$/m);
  });

  test("is read by the command quote, so that nobody promises a taken vehicle by phone", async (t) => {
    const { calendar, env } = settings(t);
    const event =
      "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:sedan\r\nDTSTART:20200101T000000Z\r\nDTEND:20991231T000000Z\r\nEND:VEVENT";
    writeFileSync(calendar, `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${event}\r\nEND:VCALENDAR\r\n`);
    const { stdout, stderr } = await runCommand(t, ["quote", "ZRH", "Bern", "--json"], env, packageRoot);
    const { options, limitations } = JSON.parse(stdout || stderr);
    assert.ok(limitations.includes("Not offered at that time: Sedan. All of these vehicles are taken."), stdout);
    assert.ok(options.length > 0 && options.every((each: Fields) => each.vehicle_class !== "sedan"), stdout);
  });

  test("is read by check, which prints no word of it", async (t) => {
    const { calendar, env } = settings(t);
    const found = await runCommand(t, ["check", "--json"], env, packageRoot);
    const rows: Fields[] = JSON.parse(found.stdout).rows;
    assert.deepEqual(
      rows.filter(({ name }) => /availability|vehicles/.test(name)),
      [
        { name: "availability", state: "ok", text: "" },
        {
          name: "taken vehicles",
          state: "ok",
          text: "7 events, sedan 2, all 1, van 3, of no class 1 (next: 2026-12-10 14:00)",
        },
      ],
    );
    assert.doesNotMatch(found.stdout, /Beispiel|school|taken\.ics/);
    const misspelled = "UID:1\r\nSUMMARY:vans SECRET\r\nDTSTART:20991231T100000Z\r\nDTEND:20991231T110000Z";
    writeFileSync(
      calendar,
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n${misspelled}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    );
    const warned = await runCommand(t, ["check", "--json"], env, packageRoot);
    const { state, text } = JSON.parse(warned.stdout).rows.find(({ name }: Fields) => name === "taken vehicles");
    assert.equal(state, "WARNING");
    assert.match(text, /; of no class: 2099-12-31 11:00; did you mean van\?$/);
    assert.doesNotMatch(warned.stdout, /SECRET/);
    rmSync(calendar);
    const gone = await runCommand(t, ["check", "--json"], env, packageRoot);
    assert.deepEqual(
      JSON.parse(gone.stdout).rows.filter(({ name }: Fields) => /availability|vehicles/.test(name)),
      [{ name: "availability", state: "FAULT", text: "the file cannot be read (ENOENT)" }],
    );
    assert.equal(gone.code, 1);
  });
});
