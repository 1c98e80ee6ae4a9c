import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { textsOf } from "../../../src/contract/notices.ts";
import { crowFliesKm } from "../../../src/domain/places/geo.ts";
import { stopOf } from "../../../src/domain/quotes/locate-points.ts";
import { anEngineRouter } from "../../support/engine-router.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFakeEngine } from "../../support/fake-engine.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to, totalOf } from "../../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../../support/seed.ts";
import { roadEngineWires } from "../../support/wires/road-engine-wires.ts";

suite("real journeys", () => {
  const price = pricing();
  const driveTo = (place: string, pickup = "2026-12-08T13:00:00Z") =>
    price({ points: [aPoint("Zurich Airport"), to(place)], pickupAt: new Date(pickup) });

  test("to a car-free place end at its drop-off, with a limitation", async () => {
    const [zermatt, tasch] = [await driveTo("Zermatt"), await driveTo("Täsch")];
    assert.equal(zermatt.route.distanceKm, tasch.route.distanceKm);
    assert.equal(totalOf(zermatt), totalOf(tasch));
    assert.notEqual(zermatt.route.fingerprint, tasch.route.fingerprint);
    assert.match(zermatt.limitations.join(" "), /Zermatt is car-free: its pickup, stop or arrival is at Täsch/);
  });

  test("take the car train while it runs, and the road around at night", async () => {
    for (const [from, destination, pickup, km, train, avoided, needsConfirmation] of [
      ["Bern", "Visp", "2027-07-15T10:00:00+02:00", 103, "Lötschberg", null],
      ["Bern", "Visp", "2027-07-15T03:00:00+02:00", 200, null, "Lötschberg"],
      ["Zurich Airport", "Zermatt", "2026-11-22T12:00:00+01:00", 258, "Lötschberg", null],
      ["Zurich Airport", "Zermatt", "2026-11-22T22:00:00+01:00", 357, null, "Lötschberg"],
      ["Klosters", "Scuol", "2027-07-15T03:00:00+02:00", 58, null, "Vereina"],
      ["Klosters", "Scuol", "2027-01-15T12:00:00+01:00", 43, "Vereina", null],
      ["Klosters", "Scuol", "2027-01-15T03:00:00+01:00", 153, null, "Vereina"],
      ["Friedrichshafen Airport", "Crans-Montana", "2027-07-15T12:00:00+02:00", 349, null, null],
      ["Andermatt", "Brig", "2027-07-15T12:00:00+02:00", 79, null, null],
      ["Andermatt", "Brig", "2027-01-20T12:00:00+01:00", 69, "Furka", null],
      // The pass may be open, and the route is surely open without it.
      ["Andermatt", "Oberwald", "2027-06-10T10:00:00+02:00", 27, "Furka", null],
      ["Andermatt", "Disentis", "2027-01-20T12:00:00+01:00", 30, "Oberalp", null, "by arrangement"],
    ] as const) {
      const clock = aClock("2026-11-20T12:00:00Z");
      const priced = await pricing({ clock })({ points: [aPoint(from), to(destination)], pickupAt: new Date(pickup) });
      const { distanceKm, automaticallyPayable } = priced.route;
      const named = (sentence: RegExp) => sentence.exec(priced.limitations.join(" "))?.[1] ?? null;
      const trains = [named(/Includes the (\S+) car train/), named(/The (\S+) car train does not run in time/)];
      const measured = [Math.round(distanceKm), ...trains, automaticallyPayable, !priced.requiresManualConfirmation];
      const isPayable = needsConfirmation === undefined;
      assert.deepEqual(measured, [km, train, avoided, isPayable, isPayable], `${from} ${pickup}`);
    }
  });

  test("name a closed pass where the way around it takes longer", async () => {
    const detours = async (from: string, destination: string) => {
      const journey = { points: [aPoint(from), to(destination)], pickupAt: new Date("2026-12-08T14:00:00+01:00") };
      return (await price(journey)).notices.flatMap(({ code, values }) =>
        code === "PASS_AVOIDED" ? [values.name] : [],
      );
    };
    assert.deepEqual(await detours("Meiringen", "Andermatt"), ["Susten Pass"]);
    // Over the Furka Pass it takes as long in summer.
    assert.deepEqual(await detours("Zurich Airport", "Zermatt"), []);
  });

  test("reach the car train after the wait at the pickup", async () => {
    const points = [aPoint("Bern"), to("Visp")];
    const pickupAt = new Date("2027-07-15T21:30:00+02:00");
    const kmAfter = async (waitingMinutes: number) =>
      (await price({ points, pickupAt, waitingMinutes })).route.distanceKm;
    assert.ok((await kmAfter(30)) < 110);
    assert.ok((await kmAfter(90)) > 190);
  });
});

const STATION = { lat: 46.949, lng: 7.4391 };
const HOSPITAL = { lat: 46.9475, lng: 7.4255 };
/** Of Bern in the packaged catalog: a radius of 3 km, streets 1.4 times as long, 35 km/h. */
const ASSUMED_KM = 4.2;
const ASSUMED_MINUTES = 8;

suite("a journey inside one town", () => {
  const price = pricing();
  const drive = (from: string, destination: string) => price({ points: [aPoint(from), to(destination)] });

  test("to an address of which only the town is known goes by the extent of the town, and says so", async () => {
    for (const [from, destination] of [
      ["Bern Station", "Tierspital, Bern"],
      ["Tierspital, Bern", "Bern Station"],
      ["Hotel Kreuz, Bern", "Tierspital, Bern"],
      ["Bern", "Tierspital, Bern"],
      ["Bern Station", "Bern"],
    ] as const) {
      const { route, limitations } = await drive(from, destination);
      const { authority, automaticallyPayable, distanceKm, durationMinutes } = route;
      assert.deepEqual([distanceKm, durationMinutes], [ASSUMED_KM, ASSUMED_MINUTES], `${from} to ${destination}`);
      assert.deepEqual([authority, automaticallyPayable], ["SERVER_VERIFIED", true]);
      assert.match(limitations.join(" "), /inside the town from .* is estimated at 4\.2 km\./);
    }
  });

  test("between known positions goes by these, and says so", async () => {
    const direct = Math.round(crowFliesKm(STATION, HOSPITAL) * 14) / 10;
    for (const [from, destination] of [
      ["Bern Station", "46.9475, 7.4255"],
      ["46.9475, 7.4255", "Bern Station"],
      ["46.949, 7.4391", "46.9475, 7.4255"],
    ] as const) {
      const { route, limitations } = await drive(from, destination);
      assert.equal(route.distanceKm, direct, `${from} to ${destination}`);
      assert.match(limitations.join(" "), /is estimated at 1\.5 km\./);
    }
  });

  test("between places that the network tells apart is measured on its roads", async () => {
    const { limitations } = await drive("Zürich HB", "Zürich Oerlikon Station");
    assert.doesNotMatch(limitations.join(" "), /is estimated at/);
  });

  test("from a place to itself is none", async () => {
    await refusalOf(drive("Bern", "Berne"), "INVALID_LOCATION");
    await refusalOf(drive("Tierspital, Bern", "TIERSPITAL, Bern"), "INVALID_LOCATION");
    await refusalOf(drive("Tierspital, Bern", "Bern Tierspital"), "INVALID_LOCATION");
  });

  test("is part of a longer one, and of the road back", async () => {
    const points = [aPoint("Friedrichshafen Airport"), aStop("Bern Station"), to("Tierspital, Bern")];
    const [toStation, toHospital] = [await drive("Friedrichshafen Airport", "Bern Station"), await price({ points })];
    assert.equal(toHospital.route.distanceKm, Math.round((toStation.route.distanceKm + ASSUMED_KM) * 10) / 10);
    const stops = [aPoint("Friedrichshafen Airport"), aStop("Hotel Alpha, Bern"), to("Hotel Beta, Bern")];
    assert.equal((await price({ points: stops })).route.distanceKm, toHospital.route.distanceKm);
  });
});

for (const [name, wire] of Object.entries(roadEngineWires)) {
  test(`with ${name} a journey inside a town is as long as the town reaches where only the town is known`, async (t: TestContext) => {
    const engine = await aFakeEngine(t, wire.speaks([{ km: 1.9, minutes: 6 }]));
    const router = await anEngineRouter(t, name as keyof typeof roadEngineWires, { url: engine.url });
    const price = pricing({ ...defaultCatalog, router });
    const unknown = await price({ points: [aPoint("Bern Station"), to("Tierspital, Bern")] });
    assert.equal(unknown.route.distanceKm, ASSUMED_KM);
    assert.match(unknown.limitations.join(" "), /is estimated at 4\.2 km\./);
    const known = await price({ points: [aPoint("Bern Station"), to("46.9475, 7.4255")] });
    assert.equal(known.route.distanceKm, 1.9);
    assert.doesNotMatch(known.limitations.join(" "), /is estimated at/);
  });
}

const AIRPORTS = ["Zurich", "Geneva", "Basel", "Bern", "Friedrichshafen", "Milan Malpensa"];
const PLACES = [
  ...["Zermatt", "St. Moritz", "Davos", "Klosters", "Verbier", "Crans-Montana", "Interlaken", "Grindelwald"],
  ...["Wengen", "Gstaad", "Andermatt", "Lucerne", "Engelberg", "Bern", "Basel", "Geneva", "Lausanne", "Montreux"],
  ...["Lugano", "Locarno", "Chur", "Laax", "Arosa", "Lenzerheide", "Scuol", "Saas-Fee", "Zug", "St. Gallen"],
  ...["Brig", "Visp"],
];
const JOURNEYS = 2 * RUNS;
const MINUTES_A_YEAR = 365 * 24 * 60;

test("of ordinary journeys over a year, day and night, 99.5 % are payable and none is refused", async () => {
  const { places, router } = defaultCatalog;
  const { signal } = new AbortController();
  const stopAt = async (text: string) => {
    const location = await places.find(text, signal);
    return location.kind === "found" ? stopOf(location) : assert.fail(text);
  };
  const airports = await Promise.all(AIRPORTS.map((name) => stopAt(`${name} Airport`)));
  const resorts = await Promise.all(PLACES.map(stopAt));
  const { random, anyOf } = randomOf("ordinary journeys");
  const doubtful: string[] = [];
  for (let count = 0; count < JOURNEYS; count++) {
    const ends = [anyOf(airports), anyOf(resorts)];
    const minute = Math.floor(random() * MINUTES_A_YEAR);
    const departure = new Date(Date.UTC(2027, 0, 1, 0, minute));
    const stops = random() < 0.5 ? ends : ends.reverse();
    const { doubts } = await router.measure(stops, departure, signal);
    if (doubts.length > 0) doubtful.push(`${departure.toISOString()} ${textsOf(doubts).join(" ")}`);
  }
  assert.ok(doubtful.length <= JOURNEYS * 0.005, doubtful.slice(0, 5).join("\n"));
});
