import assert from "node:assert/strict";
import { test } from "node:test";
import { corridorPrices } from "../../src/commands/corridor-prices.ts";
import { openTerminalQuotes } from "../../src/compose/compose-terminal.ts";
import { readConfig } from "../../src/config/config.ts";
import { randomOf } from "../support/seed.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

const JOURNEYS = 40;
interface Option {
  readonly vehicle_class: string;
  readonly total_price: number;
}

const service = await aService(wholeFile);
const terminal = await openTerminalQuotes(readConfig({}), service.clock);
wholeFile.after(() => terminal.close());
const { upTo, anyOf, seed } = randomOf("the same price everywhere");

const pricesOf = (options: readonly Option[]) =>
  Object.fromEntries(options.map(({ vehicle_class, total_price }) => [vehicle_class, total_price]));

test(`estimate, quote, sandbox, and the commands quote and prices agree in ${JOURNEYS} journeys`, async () => {
  for (let count = 0; count < JOURNEYS; count++) {
    const corridor = anyOf(terminal.catalog.corridors);
    const [origin, destination] = [corridor.origin, corridor.destination].map(terminal.places.nameOf);
    const at = new Date(service.clock.now().getTime() + (2 * 24 * 60 + upTo(300 * 24 * 60)) * 60_000);
    const journey = { origin, destination, pickup_datetime: `${at.toISOString().slice(0, 16)}:00Z`, passengers: 1 };
    const what = `${seed}: ${JSON.stringify(journey)}`;
    const token = await service.token({ subject: `agent-${count}` });
    const estimate = await service.api("/quote-intents", { body: journey, token });
    const quote = await service.api("/quotes", { body: journey, token });
    assert.deepEqual([estimate.status, quote.status], [200, 201], what);
    const expected = pricesOf(quote.body.options);
    assert.deepEqual(pricesOf(estimate.body.options), expected, what);
    const shown = await terminal.quote(journey);
    assert.ok(shown.ok, what);
    assert.deepEqual(pricesOf((shown.quote.options ?? []) as readonly Option[]), expected, what);
    const listed = await corridorPrices(terminal, corridor, journey.pickup_datetime);
    const totals = [...listed.prices].map(([id, { total }]) => [id, total]);
    assert.deepEqual(Object.fromEntries(totals), expected, what);

    const inSandbox = { ...journey, destination: "Sandbox: quote lost" };
    const rehearsal = await service.api("/quotes", { body: inSandbox, token });
    const place = /the sandbox priced (.+?)\. No car will come/.exec(rehearsal.body.limitations.join("\n"))?.[1];
    const real = await service.api("/quotes", { body: { ...journey, destination: place }, token });
    assert.deepEqual(pricesOf(rehearsal.body.options), pricesOf(real.body.options), `${what} to ${place}`);
  }
});
