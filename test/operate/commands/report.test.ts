import assert from "node:assert/strict";
import { test } from "node:test";
import { columns } from "../../../src/operate/commands/columns.ts";
import { instantArgument } from "../../../src/operate/commands/local-time-argument.ts";
import { reportTable, SALES } from "../../../src/operate/commands/report-table.ts";
import { saleRows } from "../../../src/operate/commands/sale-rows.ts";
import { csvLine } from "../../../src/operate/commands/terminal-text.ts";
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

const TOTALS = {
  ...{ quotes: 100_000, handedOver: 40_000, opened: 20_000, expired: 50_000 },
  ...{ sold: 0, soldRappen: 0, commissionRappen: 0 },
  ...{ quotedRappen: 9_876_543_210, handedOverRappen: 4_876_543_210, openedRappen: 2_876_543_210 },
};
const CLIENT = "https://assistant.example/oauth/client-metadata.json";
const CORRIDOR = "milan-malpensa-airport-to-st-moritz";

function tableOf(width: number, client = CLIENT): string {
  const period = { since: new Date("2026-11-01T00:00:00Z"), until: new Date("2026-12-01T00:00:00Z") };
  const groups = [{ keys: [client, CORRIDOR], ...TOTALS }];
  return reportTable(
    { ...period, timeZone: "Europe/Zurich", by: ["client", "corridor"], total: TOTALS, groups, ...SALES },
    width,
  );
}

test("a report has whole names where the terminal is wide, and fits 100 columns where it is not", () => {
  assert.match(tableOf(200), new RegExp(`^${CLIENT} +${CORRIDOR} +100000 `, "m"));
  assert.match(tableOf(Number.POSITIVE_INFINITY, "中文名字"), /^中文名字 +milan/m, "in a pipe");
  for (const line of tableOf(100).split("\n")) assert.ok(line.length <= 100, line);
  assert.match(tableOf(100), /^https:\/\/assi\S*… +milan-malp\S*… +100000 /m);
});

test("each column of a report has a head of its own, and a share is called one", () => {
  const lines = tableOf(200).split("\n").slice(2, 5);
  const at = [...(lines[2] ?? "").matchAll(/\S+/g)].map(({ index, 0: word }) => [index, index + word.length] as const);
  const heads = at.map(([from, to]) =>
    lines
      .map((line) => line.slice(from - 2, to).trim())
      .join(" ")
      .trim(),
  );
  assert.equal(new Set(heads).size, heads.length, heads.join("; "));
  assert.equal(heads.at(-1), "share handed over");
});

test("a table counts the columns of wide characters, and shortens or wraps what is too long", () => {
  const rows = [
    ["東京 Dream", "1"],
    ["a name of many words", "12345"],
    ["\u001b[2J", ""],
  ];
  assert.deepEqual(columns(rows), ["東京 Dream                1\n", "a name of many words  12345\n", "\\u{1b}[2J\n"]);
  assert.deepEqual(columns(rows.slice(0, 2), 1, { colWidths: [12] }), [
    "東京 Dream        1\n",
    "a name of m…  12345\n",
  ]);
  const wrapped = columns(rows.slice(0, 2), 1, { colWidths: [12], wordWrap: true });
  assert.deepEqual(wrapped, ["東京 Dream        1\n", "a name of     12345\n", "many words\n"]);
});

test("rows of sales are written once each, however many there are", async () => {
  const ids = Array.from({ length: 1_200 }, (_, n) => `q_${n}`);
  const textOf = async (format: "csv" | "json", count: number) => {
    async function* sales() {
      for (const id of ids.slice(0, count)) yield { created: aSale(aQuote({ id })), steps: [] };
    }
    let text = "";
    for await (const part of saleRows(sales(), { format, showTime: String })) text += part;
    return text;
  };
  const [head = "", ...rows] = (await textOf("csv", ids.length)).trimEnd().split("\n");
  assert.match(head, /^quote_id,/);
  assert.deepEqual(
    rows.map((row) => row.split(",", 1)[0]),
    ids,
  );
  const objects: { quote_id: string }[] = JSON.parse(await textOf("json", ids.length));
  assert.deepEqual(
    objects.map(({ quote_id }) => quote_id),
    ids,
  );
  assert.equal(await textOf("json", 0), "[]\n");
});

test("the amounts of exported sales have two decimals as CSV and are numbers as JSON", async () => {
  const options = [{ vehicleClass: "sedan", totalRappen: 20_050 }];
  async function* sales() {
    yield {
      created: aSale(undefined, { options, commissionPercent: 10 }),
      steps: [aHandoffSale(undefined, { options })],
    };
  }
  const exported = async (format: "csv" | "json") => {
    let text = "";
    for await (const part of saleRows(sales(), { format, showTime: String })) text += part;
    return text;
  };
  const [head = "", row = ""] = (await exported("csv")).split("\n");
  const cells = Object.fromEntries(head.split(",").map((name, n) => [name, row.split(",")[n]]));
  const { handed_over_total, commission_total, opened_total } = cells;
  assert.deepEqual([handed_over_total, commission_total, opened_total], ["200.50", "20.05", ""]);
  const [json] = JSON.parse(await exported("json"));
  assert.deepEqual([json.handed_over_total, json.commission_total, json.opened_total], [200.5, 20.05, null]);
});

test("no cell of CSV is a formula, whichever character a spreadsheet splits the line at", () => {
  const hostile = [
    ...["=1+1", "+cmd", "-x", "@SUM(A1)", " =1+1", "＝1+1", "＋1x", "－x", "＠x"],
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
