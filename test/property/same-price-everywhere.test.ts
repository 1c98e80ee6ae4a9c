import assert from "node:assert/strict";
import { test } from "node:test";
import { listedPrices } from "../../src/operate/commands/prices.ts";
import { openTerminalQuotes } from "../../src/operate/compose/compose-terminal.ts";
import { readConfig } from "../../src/operate/config/config.ts";
import { createOpened } from "../../src/ops/opened.ts";
import { wholeFile } from "../support/lifetime.ts";
import { randomOf } from "../support/random.ts";
import { aService } from "../support/service.ts";

interface Option {
  readonly vehicle_class: string;
  readonly total_price: number;
  readonly requires_manual_confirmation?: boolean;
}

const service = await aService(wholeFile);
const { opened, close } = createOpened();
const terminal = await openTerminalQuotes(readConfig({}), service.clock, opened);
wholeFile.after(close);
const { upTo, shuffled, seed } = randomOf("the same price everywhere");
/** Every run takes others where PROPERTY_SEED does. */
const CORRIDORS = 12;

const pricesOf = (options: readonly Option[]) =>
  Object.fromEntries(options.map(({ vehicle_class, total_price }) => [vehicle_class, total_price]));

test("estimate, quote, sandbox, and the commands quote and prices agree on corridors", async () => {
  for (const corridor of shuffled(terminal.catalog.corridors).slice(0, CORRIDORS)) {
    const [origin, destination] = [corridor.origin, corridor.destination].map(terminal.places.nameOf);
    const at = new Date(service.clock.now().getTime() + (2 * 24 * 60 + upTo(300 * 24 * 60)) * 60_000);
    const journey = { origin, destination, pickup_datetime: `${at.toISOString().slice(0, 16)}:00Z`, passengers: 1 };
    const what = `${seed}: ${JSON.stringify(journey)}`;
    const token = await service.token({ subject: corridor.key });
    const estimate = await service.api("/quote-intents", { body: journey, token });
    const quote = await service.api("/quotes", { body: journey, token });
    assert.deepEqual([estimate.status, quote.status], [200, 201], what);
    const expected = pricesOf(quote.body.options);
    assert.deepEqual(pricesOf(estimate.body.options), expected, what);
    const shown = await terminal.quote(journey);
    assert.ok(shown.ok, what);
    assert.deepEqual(pricesOf((shown.quote.options ?? []) as readonly Option[]), expected, what);
    const listed = await listedPrices(terminal, corridor.key, journey);
    const totals = listed.map(({ vehicleClass, totalRappen }) => [vehicleClass, totalRappen / 100]);
    assert.deepEqual(Object.fromEntries(totals), expected, what);
    for (const { vehicle_class: id, requires_manual_confirmation: isManual = false } of quote.body.options as Option[])
      assert.equal(listed.find(({ vehicleClass }) => vehicleClass === id)?.onRequest, isManual, what);

    const inSandbox = { ...journey, destination: "Sandbox: quote lost" };
    const rehearsal = await service.api("/quotes", { body: inSandbox, token });
    const place = /the sandbox priced (.+?)\. No car will come/.exec(rehearsal.body.limitations.join("\n"))?.[1];
    const real = await service.api("/quotes", { body: { ...journey, destination: place }, token });
    assert.deepEqual(pricesOf(rehearsal.body.options), pricesOf(real.body.options), `${what} to ${place}`);
  }
});
