import assert from "node:assert/strict";
import { test } from "node:test";
import { aRouter } from "../support/fake-router.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";

interface WireNotice {
  readonly code: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly text: string;
}

const textsOf = (notices: readonly WireNotice[]) => notices.map(({ text }) => text);

test("every limitation has its notice, on estimates, quotes and quotes that are read again", async (t) => {
  const { api, token } = await aService(t);
  const bearer = await token();
  // Sent with another offset, to a car-free place.
  const body = aQuoteRequest({ pickup_datetime: "2026-12-08T15:00:00+02:00" });
  const issued = await api("/quotes", { token: bearer, body });
  const read = await api(`/quotes/${issued.body.quote_id}`, { token: bearer });
  const estimate = await api("/quote-intents", { body });
  for (const answer of [issued, read, estimate]) {
    const { notices, limitations } = answer.body;
    assert.deepEqual(textsOf(notices), limitations, answer.text);
    assert.deepEqual(notices[0], {
      code: "PICKUP_LOCAL_TIME",
      values: { date: "2026-12-08", time: "14:00", sent: "2026-12-08T15:00:00+02:00" },
      text: "The pickup is on 2026-12-08 at 14:00 local time; it was sent as 2026-12-08T15:00:00+02:00.",
    });
    const carFree = notices.find(({ code }: WireNotice) => code === "CAR_FREE");
    assert.deepEqual([carFree.values.place, carFree.values.stop], ["Zermatt", "Täsch"]);
  }
  assert.deepEqual(read.body.notices, issued.body.notices);
});

test("a journey that needs manual confirmation names the operator once, whatever the number of doubts", async (t) => {
  const { api } = await aService(t, { router: aRouter({ doubts: ["The pass may be closed.", "The hut is far."] }) });
  const { body } = await api("/quote-intents", { body: aQuoteRequest({ destination: "Bern" }) });
  const confirmations = body.notices.filter(({ code }: WireNotice) => code === "MANUAL_CONFIRMATION");
  assert.deepEqual(confirmations, [
    {
      code: "MANUAL_CONFIRMATION",
      values: { operator: "Example Transfers", phone: "+41 00 000 00 00", email: "bookings@transfers.example" },
      text: "This journey needs manual confirmation by Example Transfers (+41 00 000 00 00, bookings@transfers.example).",
    },
  ]);
});
