import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { textsOf } from "../../../src/contract/notices.ts";
import { stopOf } from "../../../src/domain/quotes/locate-points.ts";
import { pricingOf } from "../../../src/operate/compose/embedded-pricing.ts";
import { anEngineRouter } from "../../support/engine-router.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFakeEngine } from "../../support/fake-engine.ts";
import { defaultCatalog, pricing } from "../../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../../support/random.ts";
import { journeyOf, quotes, told } from "../../support/told.ts";
import { roadEngineWires } from "../../support/wires/road-engine-wires.ts";

suite("real journeys", () => {
  test("to a car-free place are as long as to its drop-off, with another fingerprint", async () => {
    const [zermatt, tasch] = await Promise.all(
      ["Zermatt", "Täsch"].map(async (end) => (await quotes()(`Zurich Airport > ${end}`)).route),
    );
    assert.equal(zermatt?.distanceKm, tasch?.distanceKm);
    assert.notEqual(zermatt?.fingerprint, tasch?.fingerprint);
  });

  told(
    "take the car train while it runs, also after the wait at the pickup, and the road around at night",
    { clock: aClock("2026-11-20T12:00:00Z") },
    `Bern > Visp; at 2027-07-15 10:00           -> drives 103 km
      -> says Includes the Lötschberg car train
     Bern > Visp; at 2027-07-15 03:00           -> drives 200 km
      -> says The Lötschberg car train does not run in time for this pickup: the car takes another route, which takes longer and is 97 km longer.
      -> payable at once
     Bern > Visp; at 2027-07-15 21:30; wait 30  -> drives 103 km
     Bern > Visp; at 2027-07-15 21:30; wait 90  -> drives 200 km
     Zurich Airport > Zermatt; at 2026-11-22 12:00 -> drives 258 km
     Zurich Airport > Zermatt; at 2026-11-22 22:00 -> drives 357 km
     Klosters > Scuol; at 2027-07-15 03:00      -> drives 58 km
      -> says The Vereina car train does not run in time
     Klosters > Scuol; at 2027-01-15 12:00      -> drives 43 km
      -> says Includes the Vereina car train
     Klosters > Scuol; at 2027-01-15 03:00      -> drives 153 km
     Andermatt > Brig; at 2027-07-15 12:00      -> drives 79 km
      -> never car train
     Andermatt > Brig; at 2027-01-20 12:00      -> drives 69 km
      -> says Includes the Furka car train
     Andermatt > Oberwald; at 2027-06-10 10:00  -> drives 27 km
      -> payable at once
     Andermatt > Disentis; at 2027-01-20 12:00  -> drives 30 km
      -> says Includes the Oberalp car train
      -> payable later
     Friedrichshafen Airport > Crans-Montana; at 2027-07-15 12:00 -> drives 349 km
      -> never car train`,
  );
  told(
    "name a closed pass where the way around it takes longer",
    {},
    `Meiringen > Andermatt    -> says Susten Pass
     Zurich Airport > Zermatt -> never Furka Pass`,
  );
});

/** Of Bern in the packaged catalog: a radius of 3 km and streets 1.4 times as long are 4.2 km. */
const ASSUMED = "is estimated at 4.2 km.";

suite("a journey inside one town", () => {
  told(
    "goes by the extent of the town where only the town is known, by positions where these are, and says so",
    {},
    `Bern Station > Tierspital, Bern            -> says inside the town from … ${ASSUMED}
      -> drives 4 km
      -> payable at once
     Tierspital, Bern > Bern Station            -> says ${ASSUMED}
     Hotel Kreuz, Bern > Tierspital, Bern       -> says ${ASSUMED}
     Bern > Tierspital, Bern                    -> says ${ASSUMED}
     Bern Station > Bern                        -> says ${ASSUMED}
     Bern Station > 46.9475, 7.4255             -> says is estimated at 1.5 km.
     46.9475, 7.4255 > Bern Station             -> says is estimated at 1.5 km.
     46.949, 7.4391 > 46.9475, 7.4255           -> says is estimated at 1.5 km.
     Zürich HB > Zürich Oerlikon Station        -> never is estimated at
     Bern > Berne                               -> refuses INVALID_LOCATION
     Lauterbrunnen > Wengen                     -> refuses INVALID_LOCATION
      -> says The journey starts and ends at Lauterbrunnen. Wengen is car-free. Train Lauterbrunnen–Wengen
     Tierspital, Bern > TIERSPITAL, Bern        -> refuses INVALID_LOCATION
     Tierspital, Bern > Bern Tierspital         -> refuses INVALID_LOCATION`,
  );

  test("is part of a longer one", async () => {
    const kmOf = async (way: string) => (await quotes()(way)).route.distanceKm;
    const toStation = await kmOf("Friedrichshafen Airport > Bern Station");
    const toHospital = await kmOf("Friedrichshafen Airport > Bern Station > Tierspital, Bern");
    assert.equal(toHospital, Math.round((toStation + 4.2) * 10) / 10);
    assert.equal(await kmOf("Friedrichshafen Airport > Hotel Alpha, Bern > Hotel Beta, Bern"), toHospital);
  });

  for (const [name, wire] of Object.entries(roadEngineWires))
    test(`with ${name} is as long as the town reaches where only the town is known`, async (t: TestContext) => {
      const engine = await aFakeEngine(t, wire.speaks([{ km: 1.9, minutes: 6 }]));
      const router = await anEngineRouter(t, name as keyof typeof roadEngineWires, { url: engine.url });
      const unknown = await quotes({ router })("Bern Station > Tierspital, Bern");
      assert.ok(unknown.limitations.some((text) => text.includes(ASSUMED)));
      const known = await quotes({ router })("Bern Station > 46.9475, 7.4255");
      assert.equal(known.route.distanceKm, 1.9);
      assert.doesNotMatch(known.limitations.join(" "), /is estimated at/);
    });
});

test("a closure of an operator is said with its dates and its reason", async () => {
  const closure = { id: "julier", road: "Julier Pass", reason: "Danger of avalanches." };
  const closures = [{ ...closure, from: "2027-01-12", to: "2027-01-14" }];
  const price = pricing(pricingOf({ ...defaultCatalog.catalog, closures }));
  const { limitations } = await price(journeyOf("Tiefencastel > St. Moritz; at 2027-01-12 08:00"));
  assert.deepEqual(
    limitations.filter((text) => text.includes(closure.reason)),
    [
      "Julier Pass is closed from 12 January 2027, 00:00 to 15 January 2027, 00:00; the route avoids it. Danger of avalanches.",
    ],
  );
});

const AIRPORTS = ["Zurich", "Geneva", "Basel", "Bern", "Friedrichshafen", "Milan Malpensa"];
// biome-ignore format: several fit on a line
const PLACES = [
  "Zermatt", "St. Moritz", "Davos", "Klosters", "Verbier", "Crans-Montana", "Interlaken", "Grindelwald", "Wengen", "Gstaad",
  "Andermatt", "Lucerne", "Engelberg", "Bern", "Basel", "Geneva", "Lausanne", "Montreux", "Lugano", "Locarno", "Chur", "Laax",
  "Arosa", "Lenzerheide", "Scuol", "Saas-Fee", "Zug", "St. Gallen", "Brig", "Visp",
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
  const { random, anyOf, upTo } = randomOf("ordinary journeys");
  const doubtful: string[] = [];
  for (let count = 0; count < JOURNEYS; count++) {
    const ends = [anyOf(airports), anyOf(resorts)];
    const departure = new Date(Date.UTC(2027, 0, 1, 0, upTo(MINUTES_A_YEAR - 1)));
    const { doubts } = await router.measure(random() < 0.5 ? ends : ends.reverse(), departure, signal);
    if (doubts.length > 0) doubtful.push(`${departure.toISOString()} ${textsOf(doubts).join(" ")}`);
  }
  assert.ok(doubtful.length <= JOURNEYS * 0.005, doubtful.slice(0, 5).join("\n"));
});
