import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { type FingerprintedStop, routeContractVersion, routeFingerprint } from "../../src/routing/fingerprint.ts";

const router = { basis: "EMBEDDED_ROAD_NETWORK", dataVersion: "embedded-abc" };

interface Details {
  readonly lat?: number;
  readonly lng?: number;
  readonly dwellMinutes?: number | null;
}

function aPoint(
  id: string | null,
  { lat = 47.4515, lng = 8.5646, dwellMinutes = null }: Details = {},
): FingerprintedStop {
  return { place: { id, lat, lng }, dwellMinutes };
}

const journey = [aPoint("zurich-airport"), aPoint("bern"), aPoint("zermatt")];
const usual = routeFingerprint(journey, router);

test("is the SHA-256 of the canonical JSON of stops, engine, data and contract, on every machine", () => {
  const stops = [aPoint("bern"), aPoint(null, { lat: 46.1, lng: -7.123456, dwellMinutes: 0 })];
  const canonical =
    '{"contract":"1","router":{"basis":"EMBEDDED_ROAD_NETWORK","data":"embedded-abc"},' +
    '"stops":[{"at":"bern","dwell":null},{"at":"46.10000,-7.12346","dwell":0}]}';
  assert.equal(routeFingerprint(stops, router), createHash("sha256").update(canonical).digest("hex"));
});

test("is the same for the same journey", () => {
  assert.equal(routeFingerprint(structuredClone(journey), { ...router }), usual);
  assert.match(usual, /^[0-9a-f]{64}$/);
});

test("of a place does not depend on its coordinates in the gazetteer", () => {
  assert.equal(
    routeFingerprint(
      journey.map(({ place: { id } }) => aPoint(id, { lat: 1, lng: 2 })),
      router,
    ),
    usual,
  );
});

test("of a position distinguishes 5 decimals", () => {
  const at = (lat: number) => routeFingerprint([aPoint(null, { lat }), aPoint("bern")], router);
  assert.equal(at(46.123_451), at(46.123_449));
  assert.notEqual(at(46.123_46), at(46.123_45));
});

test("differs between journeys that can differ in price", () => {
  const dwelling = (dwellMinutes: number | null) => [
    aPoint("zurich-airport"),
    aPoint("bern", { dwellMinutes }),
    aPoint("zermatt"),
  ];
  const others = [
    routeFingerprint([...journey].reverse(), router),
    routeFingerprint([aPoint("bern"), aPoint("zurich-airport"), aPoint("zermatt")], router),
    routeFingerprint([aPoint("zurich-airport"), aPoint("zermatt")], router),
    routeFingerprint([...journey, aPoint("zermatt")], router),
    routeFingerprint([aPoint("geneva-airport"), aPoint("bern"), aPoint("zermatt")], router),
    routeFingerprint([aPoint(null), aPoint("bern"), aPoint("zermatt")], router),
    routeFingerprint(dwelling(0), router),
    routeFingerprint(dwelling(1), router),
    routeFingerprint(journey, { ...router, dataVersion: "embedded-abd" }),
    routeFingerprint(journey, { ...router, basis: "OSRM" }),
  ];
  assert.equal(new Set([usual, ...others]).size, others.length + 1);
  assert.equal(routeFingerprint(dwelling(null), router), usual);
});

test("the contract version contains the data version", () => {
  assert.equal(routeContractVersion(router), "1/embedded-abc");
});
