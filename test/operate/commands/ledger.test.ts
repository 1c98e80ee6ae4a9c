import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { referenceOf } from "../../../src/contract/notice-formats.ts";
import { runCommand } from "../../support/command-line.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import { until, wholeFile } from "../../support/lifetime.ts";
import { linkPath, SECRET, termsOf } from "../../support/machines.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aSchema, withPostgres } from "../../support/postgres.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aService } from "../../support/service.ts";

const soon = new Date(Date.now() + 60_000).toISOString();
const CROWD = { passengers: 50, adults: 50, children: 50 };
/** What was sold: the first two quotes are handed over, the first one twice, whose link is opened twice. */
const SOLD = [{ destination: "Zermatt" }, { destination: "Davos", passengers: 3 }, { destination: "Zermatt" }];
/** What is asked for, the code of the refusal, and what the report counts it under. */
// biome-ignore format: a table reads by its columns
const REFUSED = [
  [{ destination: "Zermatt", pickup_datetime: soon }, "LEAD_TIME_NOT_SUPPORTED", "zurich-airport-to-zermatt"],
  [{ destination: "Davos", ...CROWD }, "NO_ELIGIBLE_VEHICLE", "zurich-airport-to-davos"],
  [{ destination: "Whoknowswhere" }, "INVALID_LOCATION", "zurich-airport > ?"],
  [{ origin: "Zurich", destination: "Madrid" }, "UNSUPPORTED_ROUTE", "zurich > ?"],
  [{}, "RATE_LIMITED", "? > ?"],
] as const;
/** Mistakes of a caller, and rehearsals: nobody lost a journey. */
// biome-ignore format: several fit on a line
const NOT_LOST = [
  { passengers: 0 }, { pickup_datetime: "2020-01-01T10:00:00+01:00" }, { destination: "Sandbox: no eligible vehicle" },
];

await ledgerOn("the embedded store", {});
await withPostgres("the ledger", async () =>
  ledgerOn("PostgreSQL", { TRANSFER_DATABASE_URL: await aSchema(wholeFile), TRANSFER_CHECKOUT_SECRET: SECRET }),
);

/** A service that sells and refuses; the commands read its store beside it. */
async function ledgerOn(store: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const clock = aClock(new Date(Date.now() - 60_000));
  const budget = { points: SOLD.length + REFUSED.length - 1, seconds: 3600 };
  const limiter = aRateLimiter({ quote_authoritative: budget });
  const service = await aService(wholeFile, { env: settings, clock, limiter });
  const env = { ...settings, TRANSFER_DATA_DIR: service.dataDir };
  // A file of somebody else among the folders of the processes.
  mkdirSync(join(service.dataDir, "quotes"), { recursive: true });
  writeFileSync(join(service.dataDir, "quotes", ".DS_Store"), "");
  const token = await service.token();
  const call = async (path: string, body?: object, key?: string) => {
    clock.advance(1000);
    const { headers, ...answer } = await service.api(path, {
      token,
      ...(body && { body }),
      ...(key && { headers: { "Idempotency-Key": key } }),
    });
    return { ...answer, requestId: headers.get("X-Request-Id") ?? "" };
  };
  const quotes: Awaited<ReturnType<typeof call>>[] = [];
  for (const journey of SOLD) quotes.push(await call("/quotes", aRealJourney(journey)));
  const [first, second] = quotes.map(({ body }) => body);
  const { body: link } = await call("/checkout-sessions", termsOf(first), "a");
  await call("/checkout-sessions", termsOf(first), "b");
  await call("/checkout-sessions", termsOf(second));
  for (let n = 0; n < 2; n += 1) assert.equal((await call(linkPath(link))).status, 200);
  for (const [journey, code] of REFUSED)
    assert.equal((await call("/quotes", aRealJourney(journey))).body.code, code, JSON.stringify(journey));
  for (const journey of NOT_LOST) assert.ok((await call("/quote-intents", aRealJourney(journey))).status >= 400);
  const estimate = await call("/quote-intents", aRealJourney({ destination: "Chur" }));

  const printed = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(wholeFile, args, env);
    assert.deepEqual([code, stderr], [0, ""]);
    return stdout;
  };
  const json = async (...args: string[]): Promise<Fields> => JSON.parse(await printed(...args, "--json"));
  // Calls that are no quote are kept after their answer.
  await until(
    async () => (await runCommand(wholeFile, ["find", estimate.requestId], env)).code === 0,
    "the last call is kept",
  );

  suite(`on ${store}`, () => {
    const least = ({ options }: Fields) => Math.min(...options.map(({ total_price }: Fields) => total_price));
    const handedOver = [first, second].map(({ options }) => options[0].total_price);
    const expected: Fields = {
      ...{ quotes: 3, handed_over: 2, opened: 1, expired: 0, quoted_chf: sum(quotes.map(({ body }) => least(body))) },
      ...{ handed_over_chf: sum(handedOver), opened_chf: handedOver[0], handed_over_share: 0.6667, requested: 0 },
    };

    test("report counts each quote, handoff and opening once, and its groups add up", async () => {
      const [{ handed_over_share, ...total }] = await json("report");
      assert.ok(Math.abs(handed_over_share - 2 / 3) < 0.01);
      assert.deepEqual({ ...total, handed_over_share: expected.handed_over_share }, expected);
      for (const by of ["day", "corridor", "client", "corridor,day"]) {
        const groups: Fields[] = await json("report", "--by", by);
        for (const name of ["quotes", "handed_over", "opened", "quoted_chf", "handed_over_chf"])
          assert.equal(sum(groups.map((group) => group[name])), expected[name], `${name} by ${by}`);
      }
      assert.match(
        await printed("report", "--by", "corridor", "--by", "client"),
        /^zurich-airport-to-zermatt +\S+ +2 /m,
      );
      assert.match(await printed("report", "--csv"), /^quotes,handed_over,/);
    });

    test("report --sales has a row for each quote, without a text of its caller, and one for each day of service", async () => {
      const rows = await json("report", "--sales");
      assert.equal(rows.length, quotes.length);
      for (const [n, { body, requestId }] of quotes.entries()) {
        const { quote_id, expires_at } = body;
        const known = {
          ...{ quote_id, request_id: requestId, expires_at, currency: "CHF", surface: "rest", handoffs: n < 2 ? 1 : 0 },
          ...{ quoted_total: least(body), handed_over_total: handedOver[n] ?? null },
          opened_total: n === 0 ? handedOver[0] : null,
        };
        assert.deepEqual({ ...rows[n], ...known }, rows[n]);
        assert.ok(!JSON.stringify(rows[n]).includes(body.origin));
      }
      const served = await json("report", "--sales", "--by-service-date", "--until", "2100-01-01");
      const day = first.pickup_datetime.slice(0, 10);
      assert.deepEqual(
        served.map(({ quote_id, total, service_date }: Fields) => [quote_id, total, service_date]).sort(),
        [first, second].map(({ quote_id }, n) => [quote_id, handedOver[n], day]).sort(),
      );
      assert.deepEqual(await json("report", "--sales", "--by-service-date", "--until", "0h"), []);
    });

    test("find finds a sale by id, reference, request, link and event", async () => {
      const { events, journey } = await json("find", first.quote_id);
      const types = events.map(({ type }: Fields) => type);
      assert.deepEqual(types, ["quote.created", "handoff.created", "handoff.opened"]);
      assert.deepEqual([journey.origin, journey.passengers], [first.origin, first.passengers]);
      const reference = referenceOf(first.quote_id);
      const requestId = quotes[0]?.requestId ?? "";
      for (const id of [requestId, link.checkout_url, reference, ` ${reference.toLowerCase()} `, events[2].event_id]) {
        const shown = await printed("find", id);
        assert.match(shown, new RegExp(`^quote_id +${first.quote_id}$`, "m"), id);
        assert.match(shown, new RegExp(`^reference +${reference}$`, "m"), id);
        assert.doesNotMatch(shown, /^\S+ *$/m, "every row of the table has a value");
      }
      for (const id of ["req_unknown", "q_unknown", "ZZZZZZ"]) {
        const unknown = await runCommand(wholeFile, ["find", id], env);
        assert.deepEqual(unknown, { code: 1, stdout: "", stderr: `nothing is kept of "${id}"\n` });
      }
    });

    test("find finds an estimate by its request, and what was promised by amount and day, as people write it", async () => {
      const kept = await json("find", estimate.requestId);
      const facts = {
        request_id: estimate.requestId,
        surface: "rest",
        code: "OK",
        operation: "estimate_transfer_quote",
      };
      assert.deepEqual({ ...kept, ...facts }, kept);
      for (const [priced, id, became] of [
        [estimate.body, estimate.requestId, "estimate"],
        [second, second.quote_id, "handoff.created"],
      ] as const) {
        const [{ vehicle_class, total_price }] = priced.options;
        const pickup = priced.pickup_datetime.slice(0, 10);
        const [francs = "", rappen = ""] = total_price.toFixed(2).split(".");
        for (const args of [
          [`${francs}.${rappen}`],
          [`${francs},${rappen}`, "--day", pickup],
          [`${francs.replace(/\B(?=(\d{3})+$)/g, "'")}.${rappen}`, "--day", pickup],
          [`${Math.round(total_price)}`, "--day", pickup],
        ]) {
          const row = (await json("find", ...args)).find((each: Fields) => each.id === id);
          const promised = { class: vehicle_class, chf: total_price, pickup_date: pickup, became };
          assert.deepEqual({ ...row, ...promised }, row, args.join(" "));
        }
        const { code, stderr } = await runCommand(wholeFile, ["find", francs, "--day", "2026-01-01"], env);
        assert.deepEqual(
          [code, /^nothing is kept of CHF .*, quoted or driven on 2026-01-01\n$/.test(stderr)],
          [1, true],
        );
      }
    });

    test("report --refused counts what was asked for and refused, and no mistake of a caller", async () => {
      const groups = await json("report", "--refused", "--by", "code,corridor");
      assert.deepEqual(
        groups.map(({ code, corridor, refused }: Fields) => [code, corridor, refused]).sort(),
        REFUSED.map(([, code, corridor]) => [code, corridor, 1]).sort(),
      );
      const folder = join(service.dataDir, "refused");
      for (const file of "TRANSFER_DATABASE_URL" in settings ? [] : readdirSync(folder))
        assert.doesNotMatch(readFileSync(join(folder, file), "utf8"), /whoknowswhere|madrid|passengers|pickup/i);
      assert.match(await printed("report", "--refused"), /^LEAD_TIME_NOT_SUPPORTED +1$/m);
      assert.match(
        await printed("report", "--refused", "--until", "2020-01-01", "--since", "2019-01-01"),
        /^total +0$/m,
      );
    });
  });
}

function sum(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((total, number) => total + number, 0) * 100) / 100;
}
