import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import type { ErrorCode } from "../../src/contract/errors.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { checkPickup, checkReturn, pickupRange } from "../../src/quotes/journey-times.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const { tariff } = loadCatalog(DEFAULT_CATALOG);
const NOW = new Date("2026-12-01T09:00:00.000Z");
const at = (instant: string) => new Date(instant);

function refusal(check: () => void, code: ErrorCode): PublicError {
  try {
    check();
  } catch (error) {
    assert.ok(error instanceof PublicError);
    assert.equal(error.code, code);
    return error;
  }
  return assert.fail(`wanted ${code}`);
}

suite("when a pickup is accepted", () => {
  const check = (pickupAt: Date, now: Date) => checkPickup(pickupAt, now, [pickupRange(now, tariff)], tariff.timeZone);
  const CASES: readonly (readonly [string, ErrorCode | null])[] = [
    ["2020-01-01T00:00:00Z", "PAST_DATETIME"],
    ["2026-12-01T08:59:59.999Z", "PAST_DATETIME"],
    ["2026-12-01T09:00:00.000Z", "LEAD_TIME_NOT_SUPPORTED"],
    ["2026-12-01T12:59:59.999Z", "LEAD_TIME_NOT_SUPPORTED"],
    ["2026-12-01T13:00:00.000Z", null],
    ["2027-06-01T00:00:00.000Z", null],
    ["2027-12-01T09:00:00.000Z", null],
    ["2027-12-01T09:00:00.001Z", "LEAD_TIME_NOT_SUPPORTED"],
    ["9999-12-31T23:59:59Z", "LEAD_TIME_NOT_SUPPORTED"],
  ];
  for (const [pickup, code] of CASES) {
    test(`${pickup}: ${code ?? "accepted"}`, () => {
      if (code) refusal(() => check(at(pickup), NOW), code);
      else check(at(pickup), NOW);
    });
  }

  test("both refusals name the earliest and the latest instant, on the local clock", () => {
    for (const [pickup, code] of [
      ["2026-11-30T00:00:00Z", "PAST_DATETIME"],
      ["2026-12-01T10:00:00Z", "LEAD_TIME_NOT_SUPPORTED"],
    ] as const) {
      const { message, options } = refusal(() => check(at(pickup), NOW), code);
      assert.ok(message.includes("from 2026-12-01T14:00:00+01:00 to 2027-12-01T10:00:00+01:00"), message);
      assert.ok(options.nextAction?.includes("2026-12-01T14:00:00+01:00"));
      assert.deepEqual(
        options.fieldErrors?.map(({ field }) => field),
        ["pickup_datetime"],
      );
    }
  });

  test("the instants named are accepted, though now is no whole second", () => {
    const now = at("2026-12-01T09:00:00.700Z");
    const { message } = refusal(() => check(at("2026-12-01T09:30:00Z"), now), "LEAD_TIME_NOT_SUPPORTED");
    const [, earliest = "", latest = ""] = /from (\S+) to (\S+)\.$/.exec(message) ?? [];
    check(at(earliest), now);
    check(at(latest), now);
  });

  test("the instants named carry the offset of their own season", () => {
    const { message } = refusal(
      () => check(at("2026-07-01T10:00:00Z"), at("2026-07-01T09:00:00Z")),
      "LEAD_TIME_NOT_SUPPORTED",
    );
    assert.ok(message.includes("from 2026-07-01T15:00:00+02:00 to 2027-07-01T11:00:00+02:00"), message);
  });
});

suite("when a return is accepted", () => {
  const PICKUP = at("2026-12-08T13:00:00Z");
  const check = (returnAt: string) => () =>
    checkReturn(
      at(returnAt),
      { leavesAt: PICKUP, travelMinutes: 95, latest: pickupRange(NOW, tariff).latest },
      tariff.timeZone,
    );

  test("strictly after the drive and the stops have ended", () => {
    check("2026-12-08T14:35:00.001Z")();
    check("2027-01-08T14:35:00Z")();
    for (const returnAt of ["2026-12-08T14:35:00Z", "2026-12-08T13:00:00Z", "2026-12-07T20:00:00Z"]) {
      refusal(check(returnAt), "RETURN_TIME_INVALID");
    }
  });

  test("at most at the end of the horizon, which the refusal names", () => {
    check("2027-12-01T09:00:00.000Z")();
    const { message } = refusal(check("2027-12-01T09:00:00.001Z"), "LEAD_TIME_NOT_SUPPORTED");
    assert.match(message, /2027-12-01T10:00:00\+01:00/);
  });

  test("the refusal names the earliest one, and that is accepted", () => {
    const { message, options } = refusal(check("2026-12-08T14:00:00Z"), "RETURN_TIME_INVALID");
    assert.match(message, /takes 95 min\. The earliest return is 2026-12-08T15:36:00\+01:00\./);
    assert.deepEqual(
      options.fieldErrors?.map(({ field }) => field),
      ["return_datetime"],
    );
    assert.ok(options.nextAction?.includes("2026-12-08T15:36:00+01:00"));
    check("2026-12-08T15:36:00+01:00")();
  });
});
