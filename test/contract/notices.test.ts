import assert from "node:assert/strict";
import { test } from "node:test";
import { distinct, notice, textsOf } from "../../src/contract/notices.ts";

test("a notice carries its values beside the English sentence made of them", () => {
  assert.deepEqual(notice("CAR_TRAIN", { name: "Furka car train", wait_min: 20, ride_min: 15 }), {
    code: "CAR_TRAIN",
    values: { name: "Furka car train", wait_min: 20, ride_min: 15 },
    text: "Includes the Furka car train: allow 20 min for waiting and 15 min for the ride.",
  });
  assert.deepEqual(notice("MOTORWAY_TOLLS"), { code: "MOTORWAY_TOLLS", values: {}, text: "Includes motorway tolls." });
});

test("days are words in the sentence and MM-DD in the values", () => {
  for (const [from, to, words] of [
    ["11-05", "06-01", "from 5 November to 1 June."],
    ["12-31", "02-29", "from 31 December to 29 February."],
  ] as const) {
    const { text, values } = notice("PASS_CLOSED", { name: "High Pass", from, to });
    assert.equal(text, `High Pass is closed ${words}`);
    assert.deepEqual(values, { name: "High Pass", from, to });
  }
});

test("a value is text, whatever it looks like", () => {
  const text = "$& {place} $1";
  assert.equal(notice("PLACED_AT", { text, place: "Bern" }).text, `"${text}" was placed at Bern.`);
});

test("one sentence is said once", () => {
  const [toll, tunnel] = [notice("MOTORWAY_TOLLS"), notice("TOLL", { name: "Long Tunnel" })];
  assert.deepEqual(textsOf(distinct([toll, tunnel, { ...toll }])), [toll.text, tunnel.text]);
});
