import assert from "node:assert/strict";
import { suite, test } from "node:test";
import labels from "../domain/places/label-texts.json" with { type: "json" };
import { runCommand } from "../support/command-line.ts";
import { anEventReceiver, aWebhookSecret } from "../support/event-receiver.ts";
import { aClock } from "../support/fake-clock.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import type { Fields } from "../support/mcp-client.ts";
import { anMcpClient } from "../support/mcp-client.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { wholeFile } from "../support/whole-file.ts";

const [secret, TRANSFER_DATA_DIR] = [aWebhookSecret("labels"), aFolder(wholeFile)];
const receiver = await anEventReceiver(wholeFile, [secret]);
const env = { TRANSFER_DATA_DIR, TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: secret };
/** `find` has no clock but the machine's. */
const clock = aClock(new Date().toISOString());
const service = await aService(wholeFile, { env, clock, limiter: aRateLimiter() });
const token = await service.token();
const api = (path: string, body?: object) => service.api(path, { token, body });

/** Beside Zurich Airport. */
const KLOTEN = { lat: 47.4515, lng: 8.5846 };
const stopCalled = (name: string, at = KLOTEN) => aRealJourney({ waypoints: [{ name, ...at, stop_duration_min: 10 }] });

suite("a label cannot hide where a stop is", () => {
  // Some part names a place that is far from there.
  for (const label of labels.hiding)
    test(`${JSON.stringify(label)} is refused with both places`, async () => {
      const { status, body } = await api("/quote-intents", stopCalled(label));
      assert.equal(status, 422);
      assert.equal(body.code, "INVALID_LOCATION");
      assert.match(body.field_errors[0].message, /^.+ lies \d+ km from the coordinates .* near Kloten: omit/);
    });

  // Letters that are invisible, or look like those of another script.
  for (const label of labels.misleading)
    test(`${JSON.stringify(label)} has letters that mislead`, async () => {
      for (const journey of [stopCalled(label), aRealJourney({ origin: label })]) {
        const { status, body } = await api("/quote-intents", journey);
        assert.equal(status, 422);
        assert.equal(body.code, "INVALID_REQUEST", body.detail);
      }
    });

  // What people call a stop of their own; and names that the place beside them contradicts, since nobody can list them.
  for (const label of [...labels.naming, ...labels.honest])
    test(`${JSON.stringify(label)} is priced and shown with the place`, async () => {
      const { status, body, text } = await api("/quote-intents", stopCalled(label));
      assert.equal(status, 200, text);
      const place = { name: "Kloten", country: "CH", kind: "position" };
      assert.deepEqual(body.waypoints, [{ name: label, ...KLOTEN, near: "Kloten", place, stop_duration_min: 10 }]);
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
