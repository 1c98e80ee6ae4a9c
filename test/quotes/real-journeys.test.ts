import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { aClock } from "../support/fake-clock.ts";
import { aPoint, aStop, pricing, to, totalOf } from "../support/quoting-fixture.ts";

suite("real journeys", () => {
  const price = pricing();
  const driveTo = (place: string, pickup = "2026-12-08T13:00:00Z") =>
    price({ points: [aPoint("Zurich Airport"), to(place)], pickupAt: new Date(pickup) });

  test("to a car-free place end at its drop-off, with a limitation", async () => {
    const [zermatt, tasch] = [await driveTo("Zermatt"), await driveTo("Täsch")];
    assert.equal(zermatt.route.distanceKm, tasch.route.distanceKm);
    assert.equal(totalOf(zermatt), totalOf(tasch));
    assert.notEqual(zermatt.route.fingerprint, tasch.route.fingerprint);
    assert.match(zermatt.limitations.join(" "), /Zermatt is car-free: the car stops at Täsch/);
  });

  test("with a stop at an end keep the published kilometers", async () => {
    const points = [aPoint("Malpensa"), aStop("St. Moritz"), to("St. Moritz")];
    assert.equal((await price({ points })).route.distanceKm, 193);
  });

  test("to an address are placed at its town, with a limitation", async () => {
    const priced = await driveTo("Hotel Bellevue Palace, Kochergasse 3, 3011 Bern");
    assert.equal(priced.route.distanceKm, (await driveTo("Bern")).route.distanceKm);
    assert.match(priced.limitations.join(" "), /was placed at Bern/);
  });

  test("over a pass are longer or dearer while it is closed", async () => {
    const pair = [aPoint("Andermatt"), to("Brig")];
    const winter = await price({ points: pair, pickupAt: new Date("2027-01-20T12:00:00Z") });
    const summer = await price({ points: pair, pickupAt: new Date("2027-07-15T12:00:00Z") });
    assert.match(winter.limitations.join(" "), /Includes the Furka car train: allow \d+ min for waiting/);
    assert.ok(!summer.limitations.join(" ").includes("Furka car train"));
    assert.notEqual(winter.route.distanceKm, summer.route.distanceKm);
    assert.ok(
      (totalOf(winter) ?? 0) > 2_000 + winter.route.distanceKm * 280 + 2_900,
      "the fare of the train is in the price",
    );
  });

  test("take the car train while it runs, and the road around at night", async () => {
    for (const [from, destination, pickup, km, train, avoided] of [
      ["Bern", "Visp", "2027-07-15T10:00:00+02:00", 103, "Lötschberg", null],
      ["Bern", "Visp", "2027-07-15T03:00:00+02:00", 200, null, "Lötschberg"],
      ["Zurich Airport", "Zermatt", "2026-11-22T12:00:00+01:00", 257, "Lötschberg", null],
      ["Zurich Airport", "Zermatt", "2026-11-22T22:00:00+01:00", 356, null, "Lötschberg"],
      ["Klosters", "Scuol", "2027-07-15T03:00:00+02:00", 58, null, "Vereina"],
      ["Klosters", "Scuol", "2027-01-15T12:00:00+01:00", 43, "Vereina", null],
      ["Klosters", "Scuol", "2027-01-15T03:00:00+01:00", 155, null, "Vereina"],
      ["Friedrichshafen Airport", "Crans-Montana", "2027-07-15T12:00:00+02:00", 349, null, null],
    ] as const) {
      const clock = aClock("2026-11-20T12:00:00Z");
      const priced = await pricing({ clock })({ points: [aPoint(from), to(destination)], pickupAt: new Date(pickup) });
      const { distanceKm, automaticallyPayable } = priced.route;
      const named = (sentence: RegExp) => sentence.exec(priced.limitations.join(" "))?.[1] ?? null;
      const trains = [named(/Includes the (\S+) car train/), named(/The (\S+) car train does not run in time/)];
      const expected = [km, train, avoided, true];
      assert.deepEqual([Math.round(distanceKm), ...trains, automaticallyPayable], expected, `${from} ${pickup}`);
    }
  });

  test("reach the car train after the wait at the pickup", async () => {
    const points = [aPoint("Bern"), to("Visp")];
    const pickupAt = new Date("2027-07-15T21:30:00+02:00");
    const kmAfter = async (waitingMinutes: number) =>
      (await price({ points, pickupAt, waitingMinutes })).route.distanceKm;
    assert.ok((await kmAfter(30)) < 110);
    assert.ok((await kmAfter(90)) > 190);
  });

  test("through the Vereina tunnel name the train", async () => {
    const points = [aPoint("Klosters"), to("Scuol")];
    const priced = await price({ points, pickupAt: new Date("2027-01-20T12:00:00Z") });
    assert.match(priced.limitations.join(" "), /Vereina car train/);
  });

  test("over the closed Oberalp name the train, which needs manual confirmation", async () => {
    const points = [aPoint("Andermatt"), to("Disentis")];
    const priced = await price({ points, pickupAt: new Date("2027-01-20T12:00:00Z") });
    assert.match(priced.limitations.join(" "), /Includes the Oberalp car train/);
    assert.match(priced.limitations.join(" "), /runs by arrangement/);
    assert.equal(priced.route.automaticallyPayable, false);
  });
});
