import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { QuoteRequest } from "../../src/contract/quote-request.ts";
import { parseArguments } from "../../src/contract/request-fields.ts";
import labels from "../domain/places/label-texts.json" with { type: "json" };
import { runCommand } from "../support/command-line.ts";
import { anEventReceiver, aWebhookSecret } from "../support/event-receiver.ts";
import { aClock } from "../support/fake-clock.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder, until, wholeFile } from "../support/lifetime.ts";
import type { Fields } from "../support/mcp-client.ts";
import { anMcpClient } from "../support/mcp-client.ts";
import { aService } from "../support/service.ts";

const [secret, TRANSFER_DATA_DIR] = [aWebhookSecret("labels"), aFolder(wholeFile)];
const receiver = await anEventReceiver(wholeFile, [secret]);
const env = { TRANSFER_DATA_DIR, TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: secret };
/** `find` has no clock but the machine's. */
const clock = aClock(new Date().toISOString());
const service = await aService(wholeFile, { env, clock });
const token = await service.token();
const api = (path: string, body?: object) => service.api(path, { token, body });

/** Beside Zurich Airport. */
const KLOTEN = { lat: 47.4515, lng: 8.5846 };
const stopCalled = (name: string, at = KLOTEN) => aRealJourney({ waypoints: [{ name, ...at, stop_duration_min: 10 }] });

suite("a label cannot hide where a stop is", () => {
  // test/domain/places/embedded-place-finder.test.ts decides about all of them.
  const [[hiding = ""], [naming = ""]] = [labels.hiding, labels.naming];

  test("one that names a far place is refused with both places", async () => {
    const { status, body } = await api("/quote-intents", stopCalled(hiding));
    assert.deepEqual([status, body.code], [422, "INVALID_LOCATION"]);
    assert.match(body.field_errors[0].message, /^.+ lies \d+ km from the coordinates .* near Kloten: omit/);
  });

  test("one with letters that are invisible, or look like those of another script, is refused", () => {
    for (const label of labels.misleading)
      for (const [journey, path] of [
        [stopCalled(label), "waypoints.0.name"],
        [aRealJourney({ origin: label }), "origin"],
      ] as const) {
        const { issues } = parseArguments(QuoteRequest, journey);
        assert.deepEqual(
          issues.map((issue) => issue.path.join(".")),
          [path],
          label,
        );
      }
  });

  test("one of the traveler's own is priced and shown with the place", async () => {
    const { status, body, text } = await api("/quote-intents", stopCalled(naming));
    assert.equal(status, 200, text);
    const place = { name: "Kloten", country: "CH", kind: "position" };
    assert.deepEqual(body.waypoints, [{ name: naming, ...KLOTEN, near: "Kloten", place, stop_duration_min: 10 }]);
  });
});

test("quote, link, events and find show the place beside the label", async (t) => {
  const journey = stopCalled("Grandma", { lat: 46.7963, lng: 9.8236 });
  const place = { name: "Davos Platz", country: "CH", kind: "position" };
  const near = { name: "Grandma", lat: 46.7963, lng: 9.8236, near: "Davos Platz", place, stop_duration_min: 10 };
  const { value } = await anMcpClient(t, service.publicUrl, token);
  const quote = await value("create_transfer_quote", journey);
  assert.deepEqual(quote.waypoints, [near]);
  const terms = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const handoff = await value("create_checkout_handoff", terms);
  const link = new URL(handoff.checkout_url);
  const resolved = await api(`/checkout-sessions/${quote.quote_id}?${link.searchParams}`);
  assert.deepEqual(resolved.body.waypoints, [near]);
  await until(() => receiver.received.length >= 3, "three events");
  for (const { payload } of receiver.received) assert.deepEqual(payload.data.stops, ["davos-platz"]);

  const json: Fields = JSON.parse((await runCommand(t, ["find", quote.quote_id, "--json"], env)).stdout);
  assert.deepEqual(json.stops, ["davos-platz"]);
  assert.deepEqual(json.journey.stops, ['"Grandma" near Davos Platz (46.7963, 9.8236)']);
  const page = (await runCommand(t, ["find", quote.quote_id], env)).stdout;
  assert.match(page, /"Grandma" near Davos Platz \(46\.7963, 9\.8236\)/);
  assert.match(page, /stops +davos-platz/);
});

test("a position far from every town is near the nearest one", async () => {
  const { body } = await api("/quote-intents", stopCalled("Hütte", { lat: 47.41, lng: 8.47 }));
  assert.match(body.waypoints[0].near, /^\p{Lu}/u);
});
