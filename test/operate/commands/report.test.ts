import assert from "node:assert/strict";
import { test } from "node:test";
import type { Sale } from "../../../src/domain/sales/sales-report.ts";
import { type Cells, csvLine, francs, printed } from "../../../src/operate/commands/print.ts";
import { saleCells, serviceRows } from "../../../src/operate/commands/report-columns.ts";
import { instantArgument, rappenOf } from "../../../src/operate/commands/typed-values.ts";
import { aQuote } from "../../support/quote-fixture.ts";
import { aHandoffSale, aSale } from "../../support/sale-fixture.ts";

const NOW = new Date("2026-11-20T10:00:00Z");

test("a day begins after midnight where summer time skips midnight", () => {
  const begins = (day: string, timeZone: string) => instantArgument("since", day, NOW, timeZone).toISOString();
  assert.equal(begins("2026-04-24", "Africa/Cairo"), "2026-04-23T22:00:00.000Z");
  assert.equal(begins("2026-09-06", "America/Santiago"), "2026-09-06T04:00:00.000Z");
  assert.equal(begins("2026-10-25", "Europe/Zurich"), "2026-10-24T22:00:00.000Z");
  assert.equal(begins("2026-10-30", "Africa/Cairo"), "2026-10-29T22:00:00.000Z");
  assert.equal(begins("0001-01-01", "Europe/Zurich"), "1970-01-01T00:00:00.000Z");
});

async function textOf<Row>(...args: Parameters<typeof printed<Row>>): Promise<string> {
  let text = "";
  for await (const part of printed(...args)) text += part;
  return text;
}

const named = ([name, count]: readonly [string, number]): Cells => ({ a_name: name, count });
const NAMES = [
  ["東京 Dream", 1],
  ["a name of many words", 12_345],
  ["\u001b[2J", 0],
] as const;

test("a table counts the columns of wide characters, and has a line of its head for each word", async () => {
  assert.deepEqual((await textOf(NAMES, named, "table")).split("\n"), [
    "a",
    "name                  count",
    "東京 Dream                1",
    "a name of many words  12345",
    "\\u{1b}[2J                 0",
    "",
  ]);
});

test("a column that wraps has what the others leave of 80 characters", async () => {
  const rows = [{ name: "x".repeat(60), text: "some words that do not fit" }];
  const lines = (await textOf(rows, (row) => row, "table", "text")).split("\n");
  assert.deepEqual(lines.slice(1, 3), [`${"x".repeat(60)}  some words that do`, `${" ".repeat(62)}not fit`]);
});

test("a list is the same in each format, with amounts and without rows too", async () => {
  const columns = (n: number) => ({ id: `q_${n}`, chf: francs(n || undefined), none: undefined, is_odd: n % 2 === 1 });
  assert.equal(await textOf([0, 5], columns, "csv"), "id,chf,none,is_odd\nq_0,,,false\nq_5,0.05,,true\n");
  assert.equal(await textOf([5], columns, "excel"), "\uFEFFid;chf;none;is_odd\nq_5;0,05;;true\n");
  assert.deepEqual(JSON.parse(await textOf([0, 5], columns, "json")), [
    { id: "q_0", chf: null, none: null, is_odd: false },
    { id: "q_5", chf: 0.05, none: null, is_odd: true },
  ]);
  assert.equal(await textOf([], columns, "json"), "[]\n");
});

test("rows of sales are written once each, however many there are", async () => {
  const ids = Array.from({ length: 1_200 }, (_, n) => `q_${n}`);
  async function* sales() {
    for (const id of ids) yield { created: aSale(aQuote({ id })), steps: [] };
  }
  const columns = (sale: Sale) => saleCells(sale, String, false);
  const [head = "", ...rows] = (await textOf(sales(), columns, "csv")).trimEnd().split("\n");
  assert.match(head, /^quote_id,/);
  assert.deepEqual(
    rows.map((row) => row.split(",", 1)[0]),
    ids,
  );
  const objects: { quote_id: string }[] = JSON.parse(await textOf(sales(), columns, "json"));
  assert.deepEqual(
    objects.map(({ quote_id }) => quote_id),
    ids,
  );
});

test("the amounts of exported sales have two decimals as CSV and are numbers as JSON", async () => {
  const options = [{ vehicleClass: "sedan", totalRappen: 20_050 }];
  const sale = {
    created: aSale(undefined, { options, commissionPercent: 10 }),
    steps: [aHandoffSale(undefined, { options })],
  };
  const exported = (format: "csv" | "json") => textOf([sale], (each) => saleCells(each, String, false), format);
  const [head = "", row = ""] = (await exported("csv")).split("\n");
  const cells = Object.fromEntries(head.split(",").map((name, n) => [name, row.split(",")[n]]));
  const { handed_over_total, commission_total, opened_total } = cells;
  assert.deepEqual([handed_over_total, commission_total, opened_total], ["200.50", "20.05", ""]);
  const [json] = JSON.parse(await exported("json"));
  assert.deepEqual([json.handed_over_total, json.commission_total, json.opened_total], [200.5, 20.05, null]);
});

test("what was handed over is listed by day of service, with the VAT of each direction", () => {
  const options = [{ vehicleClass: "sedan", totalRappen: 90_000, vatRappen: 6_743, returnRappen: 40_000 }];
  const days = { pickupOn: "2026-11-30", returnOn: "2026-12-02", options, commissionPercent: 10.001 };
  const sale = { created: aSale(undefined, days), steps: [aHandoffSale(undefined, days)] };
  const rows = serviceRows(sale, false);
  assert.deepEqual(
    rows.map(({ service_date, direction, total, vat, commission_total }) => {
      return [service_date, direction, total, vat, commission_total];
    }),
    [
      ["2026-11-30", "outbound", { rappen: 50_000 }, { rappen: 3_746 }, { rappen: 5_001 }],
      ["2026-12-02", "return", { rappen: 40_000 }, { rappen: 2_997 }, { rappen: 4_000 }],
    ],
  );
  assert.deepEqual([...new Set(rows.map(({ reference }) => reference))], [saleCells(sale, String, false).reference]);
  const { pickup_date, return_date, pickup_total, return_vat } = saleCells(sale, String, false);
  assert.deepEqual([pickup_date, return_date], ["2026-11-30", "2026-12-02"]);
  assert.deepEqual([pickup_total, return_vat], [{ rappen: 50_000 }, { rappen: 2_997 }]);
  assert.deepEqual(serviceRows(sale, true), [], "not paid");
  assert.deepEqual(serviceRows({ ...sale, steps: [] }, false), [], "not handed over");
  const payment = { paidAt: "2026-12-01", paidRappen: 90_000, rappen: 90_000 };
  assert.deepEqual(serviceRows({ ...sale, payment }, true)[1]?.sold_total, { rappen: 90_000 });
  assert.deepEqual(serviceRows({ ...sale, payment: { ...payment, rappen: 0 } }, true), [], "wholly refunded");
  assert.deepEqual(
    serviceRows({ ...sale, payment: { ...payment, rappen: 45_000 } }, true).map(({ total, vat, commission_total }) => {
      return [total, vat, commission_total];
    }),
    [
      [{ rappen: 25_000 }, { rappen: 1_873 }, { rappen: 2_500 }],
      [{ rappen: 20_000 }, { rappen: 1_499 }, { rappen: 2_000 }],
    ],
    "half refunded",
  );
});

test("of two handoffs the one that was paid counts, for the day of service and for the commission", () => {
  const handoffIn = (vehicleClass: string, totalRappen: number) =>
    aHandoffSale(undefined, { options: [{ vehicleClass, totalRappen }] });
  const created = aSale(undefined, { pickupOn: "2026-11-30", commissionPercent: 10 });
  const steps = [handoffIn("sedan", 90_000), handoffIn("van", 120_000)];
  const sale = { created, steps, payment: { paidAt: "2026-12-01", paidRappen: 90_000, rappen: 90_000 } };
  assert.deepEqual(
    serviceRows(sale, true).map(({ total }) => total),
    [{ rappen: 90_000 }],
  );
  assert.deepEqual(saleCells(sale, String, true).commission_total, { rappen: 9_000 });
  assert.deepEqual(saleCells(sale, String, false).commission_total, { rappen: 12_000 });
  const refunded = { ...sale, payment: { ...sale.payment, rappen: 50_000 } };
  const [row] = serviceRows(refunded, true);
  assert.deepEqual([row?.class, row?.total, row?.commission_total], ["sedan", { rappen: 50_000 }, { rappen: 5_000 }]);
  assert.deepEqual(saleCells(refunded, String, true).commission_total, { rappen: 5_000 });
});

test("what was paid on request without a link is listed as the class that was asked for, or whose price it is", () => {
  const options = ["sedan", "van"].map((vehicleClass, n) => ({
    ...{ vehicleClass, totalRappen: 40_000 + n * 5_085, vatRappen: 3_378 },
  }));
  const created = aSale(undefined, { pickupOn: "2026-12-14", options });
  const requested = {
    ...aHandoffSale(undefined, { options: options.slice(0, 1) }),
    type: "handoff.requested",
  } as const;
  const paid = (rappen: number) => ({ payment: { paidAt: "2026-12-01", paidRappen: rappen, rappen } });
  const classes = (sale: Sale, hasPayments = true) =>
    serviceRows(sale, hasPayments).map((row) => [row.service_date, row.class, row.vat]);
  const sedan = ["2026-12-14", "sedan", { rappen: 3_378 }];
  const reduced = ["2026-12-14", "sedan", { rappen: 3_294 }];
  assert.deepEqual(classes({ created, steps: [requested], ...paid(39_000) }), [reduced]);
  assert.deepEqual(classes({ created, steps: [], ...paid(40_000) }), [sedan]);
  assert.deepEqual(classes({ created, steps: [], ...paid(39_000) }), [], "no price of the quote");
  assert.deepEqual(classes({ created, steps: [requested] }), [], "not paid");
  assert.deepEqual(classes({ created, steps: [requested], ...paid(40_000) }, false), [], "not handed over");
});

test("a sale says whether it is a transfer or a hire, and the hours that a hire is charged", () => {
  const cells = (hireHours: number | null) => {
    const sale = { created: { ...aSale(), hireHours }, steps: [aHandoffSale()] };
    const { booking_type, hours } = saleCells(sale, String, false);
    const [row] = serviceRows(sale, false);
    assert.deepEqual([row?.booking_type, row?.hours], [booking_type, hours], "by day of service too");
    return [booking_type, hours];
  };
  assert.deepEqual(cells(3), ["hire", 3]);
  assert.deepEqual(cells(null), ["transfer", null]);
});

test("amounts are read as people in Switzerland write them", () => {
  for (const [text, rappen] of [
    ...([
      ["420", 42_000],
      ["420.5", 42_050],
      ["420,00", 42_000],
      ["1'020.45", 102_045],
      ["1’020,45", 102_045],
    ] as const),
    ...([
      ["1 020.-", 102_000],
      ["CHF 12", 1_200],
      ["482900", 48_290_000],
      ["-1'020.45", -102_045],
      ["CHF −5", -500],
    ] as const),
    ...["", "--5", "1,020", "1'02", "4.205", "1e3", "q_1", "12'0000"].map((none) => [none, undefined] as const),
  ])
    assert.equal(rappenOf(text), rappen, text);
});

test("no cell of CSV is a formula, whichever character a spreadsheet splits the line at", () => {
  const hostile = [
    ...["=1+1", "+cmd", "-x", "@SUM(A1)", " =1+1", "＝1+1", "＋1x", "－x", "＠x"],
    ...["+41 44 123 45 67", "\t=1", "\r=1", "\n=1"],
    ...["a;=1+1;", "https://evil.example/c;=cmd|'/C calc'!A0;x", "1;-1+2;", "a,=1+1", "a|@x", "a; +x", 'x";=1+1'],
  ];
  for (const dialect of ["csv", "excel"] as const) {
    const line = csvLine(hostile, dialect);
    for (const split of [",", ";", "|", "\t"])
      for (const cell of line.split(split)) assert.doesNotMatch(cell, /^["\s]*[=+@＝＋＠－-]/, `${split} in ${line}`);
  }
  const harmless = ["-12.50", "+10.50", "https://x.example/?a=1", "a - b"];
  assert.equal(csvLine(harmless), `${harmless.join(",")}\n`);
  assert.equal(csvLine([...harmless, 0.5, null]), `${harmless.join(",")},0.5,\n`);
  assert.equal(csvLine([...harmless, 0.5, null], "excel"), "-12,50;+10,50;https://x.example/?a=1;a - b;0,5;\n");
});
