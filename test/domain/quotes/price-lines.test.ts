import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import { textsOf } from "../../../src/contract/notices.ts";
import type { StopSale } from "../../../src/domain/catalog/offer-schema.ts";
import { optionNotices } from "../../../src/domain/quotes/price-notices.ts";
import { aRouter } from "../../support/fake-router.ts";
import { defaultCatalog, FROM_AIRPORT, pricing, waitingFree } from "../../support/quoting-fixture.ts";

suite("price lines", () => {
  test("of long waits name hours", async () => {
    const { options } = await pricing({ router: aRouter() })({ waitingMinutes: 555 });
    const line = linesOf(options[0]?.charges ?? []).find(({ code }) => code === "waiting");
    assert.deepEqual([line?.label, line?.count], ["Waiting 8 h 15 min", 495]);
  });

  test("carry no rate and no cost basis: amounts, and what they are for", async () => {
    const router = aRouter({ distanceKm: 257.4, feesRappen: 6_900, carTrainsRappen: 2_900 });
    const { options } = await pricing({ router })({ waitingMinutes: 70 });
    assert.deepEqual(linesOf(options[0]?.charges ?? []), [
      { label: "Transfer 257.4 km", code: "transfer", count: 257.4, rappen: 74_070 },
      { label: "Waiting 15 min", code: "waiting", count: 15, rappen: 1_500 },
      { label: "Car train", code: "train", rappen: 2_900 },
      { label: "Tolls", code: "tolls", rappen: 4_000 },
    ]);
  });
});

test("kilometers on car trains are charged or, as a sentence then says, free", async () => {
  const { catalog } = defaultCatalog;
  const router = aRouter({ distanceKm: 166.5, carTrainKm: 21.04, feesRappen: 3_800, carTrainsRappen: 3_800 });
  const quoted = async (trainKilometers: "charged" | "free", journey = {}) => {
    const { options, limitations, route } = await pricing({
      catalog: { ...catalog, tariff: { ...catalog.tariff, trainKilometers } },
      router,
    })(journey);
    assert.equal(route.distanceKm, 166.5);
    const lines = linesOf(options[0]?.charges ?? []).map(({ label, rappen }) => `${label}: ${rappen}`);
    return { lines, said: limitations.filter((text) => text.includes("on car trains")) };
  };
  assert.deepEqual(await quoted("charged"), { lines: ["Transfer 166.5 km: 48620", "Car train: 3800"], said: [] });
  assert.deepEqual(await quoted("free"), {
    lines: ["Transfer 145.5 km: 42740", "Car train: 3800"],
    said: ["The 21 km on car trains are not charged."],
  });
  const hire = await quoted("free", { hireHours: 3 });
  assert.ok(
    hire.lines.some((line) => line.startsWith("Extra 70.5 km: ")),
    hire.lines.join(),
  );
});

test("surcharges are named, for each direction, with what they are for", async () => {
  const price = pricing({ router: aRouter() });
  const easterMorning = { pickupAt: new Date("2027-03-28T02:00:00Z") };
  assert.deepEqual((await price(easterMorning)).limitations, [
    ...FROM_AIRPORT,
    "Night surcharge of 20 % on the fare, for pickup, waiting or departure, from 00:00 to 06:00.",
    "Holiday surcharge of 10 % on the fare (Easter Sunday).",
    waitingFree("Waiting at the pickup is free for 60 min"),
  ]);
  const there = await price({ ...easterMorning, returnAt: new Date("2027-03-29T10:00:00Z") });
  assert.deepEqual(there.limitations, [
    ...FROM_AIRPORT,
    "Outbound and return journey can be canceled separately.",
    "The price includes the return journey of 100 km without stops. It is a separate journey: the car does not wait for it.",
    "Outbound: Night surcharge of 20 % on the fare, for pickup, waiting or departure, from 00:00 to 06:00.",
    "Outbound: Holiday surcharge of 10 % on the fare (Easter Sunday).",
    "Return: Holiday surcharge of 10 % on the fare (Easter Monday).",
    waitingFree("Waiting is free for 60 min at the outbound pickup and for 15 min at the return pickup"),
  ]);
});

test("the notices for one option name its price, and leave out what is about other classes", async () => {
  const { catalog } = defaultCatalog;
  const fares = [
    {
      ...{ id: "a", label: "Fixed fare (sedan)", routes: [{ from: "zurich-airport", to: "bern" }] },
      ...{ rappen: { sedan: 30_000, van: 40_000 }, includes: [] },
    },
  ];
  const seasons = [{ id: "fair", label: "Fair (week)", percent: 10, classes: ["sedan", "van"] }];
  const stopSales: StopSale[] = [{ id: "marathon", reason: "R.", classes: ["estate"], offer: "none" }];
  const bookingWindows = [{ id: "soon", leadTimeHours: 720, classes: ["first_class"] }];
  const price = pricing({ ...defaultCatalog, catalog: { ...catalog, fares, seasons, stopSales, bookingWindows } });
  const { notices, options } = await price({ luggage: 3, passengers: 3 });
  for (const code of ["NOT_OFFERED", "LARGE_LUGGAGE"])
    assert.ok(
      notices.some((each) => each.code === code),
      code,
    );
  const van = options.find(({ vehicleClass }) => vehicleClass === "van") ?? assert.fail("no van");
  const said = textsOf(optionNotices(notices, van)).join("\n");
  assert.ok(said.includes("Fixed fare (sedan) includes"), said);
  assert.match(said, /^Fair \(week\): 10 % on the fare\.$/m);
  assert.match(said, /each started 15 min after that is charged at CHF 18\.$/m);
  assert.doesNotMatch(said, /^Not offered|can be booked|may be large/m);
  const hire = textsOf(optionNotices((await price({ hireHours: 4 })).notices, van)).join("\n");
  assert.match(
    hire,
    /^Each further started hour is charged at CHF [\d.]+ and the surcharges of its time, with \d+ km more, and each further km at CHF [\d.]+\.$/m,
  );
});
