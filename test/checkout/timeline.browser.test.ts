import assert from "node:assert/strict";
import { test } from "node:test";
import { browserSuite } from "../support/chromium.ts";
import { aTravelerAndService, handoff } from "../support/traveler.ts";

const BACK = { return_datetime: "2026-12-12T10:00:00+01:00" };
const HIRE = { booking_type: "hourly", duration_hours: 6 };

/** Journeys in every state that the rows can have; the number of rows where the car is not. */
// biome-ignore format: a table reads by its columns
const STATES: readonly (readonly [string, Readonly<Record<string, unknown>>, number])[] = [
  ["to a car-free place", { origin: "Zurich Airport", destination: "Zermatt" }, 1],
  ["to an address in one", { origin: "Zurich Airport", destination: "Hotel Schweizerhof, Zermatt" }, 1],
  ["from a car-free place", { origin: "Zermatt", destination: "Geneva Airport" }, 1],
  ["between two", { origin: "Zermatt", destination: "Wengen", ...BACK }, 4],
  ["there and back", { origin: "Zurich Airport", destination: "Zermatt", ...BACK }, 2],
  ["with stops", { origin: "Bern", destination: "Lugano", waypoints: [{ name: "Wengen", stop_duration_min: 30 }, { name: "Altdorf" }] }, 0],
  ["a hire", { ...HIRE, origin: "Zurich", destination: undefined }, 0],
  ["a hire from a car-free place", { ...HIRE, origin: "Zermatt", destination: undefined }, 2],
  ["over midnight", { origin: "Zurich Airport", destination: "Interlaken", pickup_datetime: "2026-12-08T23:30:00+01:00" }, 0],
];

browserSuite("the rows of a journey", (browser) => {
  for (const [state, journey, apart] of STATES) {
    test(`have a time only where the car is, before and after expiry: ${state}`, async (t) => {
      const { service, page, open } = await aTravelerAndService(t, browser());
      const [{ url }] = await handoff(service, journey);
      for (const isExpired of [false, true]) {
        if (isExpired) service.clock.advance(30 * 60_000);
        await open(url);
        const rows = await page
          .locator("#timeline li")
          .evaluateAll((items) =>
            items.map((item) => ({ action: item.getAttribute("data-action"), text: item.textContent ?? "" })),
          );
        const isApart = ({ action }: (typeof rows)[number]) => action === "leave" || action === "arrive";
        assert.equal(rows.filter(isApart).length, apart);
        for (const row of rows) assert.equal(/\d\d:\d\d/.test(row.text), !isApart(row), row.text);
      }
    });
  }
});
