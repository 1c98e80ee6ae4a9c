import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { changeCatalog } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { aCompanyCatalog, LOGO } from "../../support/company-catalog.ts";
import { aClock } from "../../support/fake-clock.ts";
import { startIssuer } from "../../support/issuer.ts";
import { anMcpClient, type Fields } from "../../support/mcp-client.ts";
import { patientFetch } from "../../support/patient-fetch.ts";
import { aService } from "../../support/service.ts";
import { wholeFile } from "../../support/whole-file.ts";

const catalog = aCompanyCatalog(wholeFile);
const service = await aService(wholeFile, { env: { TRANSFER_CATALOG_DIR: catalog } });

const UP = { origin: "Geneva Airport", destination: "Verbier", pickup_datetime: "2027-01-20T14:00:00+01:00" };
const DOWN = { ...UP, origin: "Verbier", destination: "Geneva Airport" };
/** Beyond the 7 days of the discount. */
const BACK = { return_datetime: "2027-01-28T14:00:00+01:00" };
const skiing = (kind: string, count: number) => ({ special_items: [{ kind, count }] });

let agents = 0;

/** Each call has a budget of its own. */
async function quoteOf(journey: object) {
  agents += 1;
  const token = await service.token({ subject: `agent-${agents}` });
  return service.api("/quotes", { token, body: { passengers: 2, ...journey } });
}

async function sedanOf(journey: object): Promise<Fields> {
  const { status, body } = await quoteOf(journey);
  assert.equal(status, 201, JSON.stringify(body));
  return { ...body, ...body.options.find(({ vehicle_class }: Fields) => vehicle_class === "sedan") };
}

/** Sedan: 390.00 between Geneva Airport and Verbier. */
const PRICES: readonly (readonly [string, object, number])[] = [
  ["the fixed fare", UP, 390],
  ["the same on the return journey", DOWN, 390],
  ["a season, no holiday surcharge: 390 × 1.25", { ...UP, pickup_datetime: "2027-01-01T14:00:00+01:00" }, 487.5],
  ["a holiday outside of it: 390 × 1.1", { ...UP, pickup_datetime: "2027-03-29T14:00:00+02:00" }, 429],
  ["the night supplement: 390 + 30", { ...UP, pickup_datetime: "2027-01-20T23:00:00+01:00" }, 420],
  ["a return within 7 days: 2 × 390 × 0.95", { ...UP, return_datetime: "2027-01-27T14:00:00+01:00" }, 741],
  ["a return after 8 days: 2 × 390", { ...UP, ...BACK }, 780],
  ["one child seat, which is free", { ...UP, ...skiing("child_seat", 1) }, 390],
  ["three child seats: 390 + 2 × 10", { ...UP, passengers: 3, ...skiing("child_seat", 3) }, 410],
  ["them there and back: 780 + 2 × 20", { ...UP, passengers: 3, ...BACK, ...skiing("child_seat", 3) }, 820],
  ["a welcome at the airport: 390 + 25", { ...UP, ...skiing("meet_and_greet", 1) }, 415],
  ["it once on a return journey: 780 + 25", { ...DOWN, ...BACK, ...skiing("meet_and_greet", 1) }, 805],
];

suite("prices of a company's catalog are those computed by hand", () => {
  for (const [name, journey, total] of PRICES)
    test(name, async () => {
      const { total_price, price_lines } = await sedanOf(journey);
      assert.equal(total_price, total, JSON.stringify(price_lines));
    });

  test("an extra of airports is refused at another pickup", async () => {
    const { status, body } = await quoteOf({ ...DOWN, ...skiing("meet_and_greet", 1) });
    assert.deepEqual([status, body.code, body.field_errors[0].field], [422, "INVALID_REQUEST", "special_items.0.kind"]);
  });

  test("nothing is sold on a blackout day", async () => {
    const { status, body } = await quoteOf({ ...UP, pickup_datetime: "2027-02-14T14:00:00+01:00" });
    assert.deepEqual([status, body.code], [422, "NO_ELIGIBLE_VEHICLE"]);
    assert.match(body.detail, /All cars serve the race\./);
  });

  test("VAT is shown within the country: 390 × 8.1 / 108.1 = 29.22", async () => {
    const { vat_percent, vat_amount, limitations } = await sedanOf(UP);
    assert.deepEqual([vat_percent, vat_amount], [8.1, 29.22]);
    assert.ok(limitations.some((text: string) => /^Prices include 8\.1 % VAT: CHF 29\.22 \(Sedan\), /.test(text)));
    assert.equal((await service.api("/policies/invoice")).body.vat_percent, 8.1);
  });

  test("VAT of a journey across the border is not split", async () => {
    const { total_price, vat_percent, vat_amount, limitations } = await sedanOf({ ...UP, destination: "Chamonix" });
    assert.deepEqual([total_price, vat_percent, vat_amount], [250, undefined, undefined]);
    assert.ok(
      limitations.includes("Prices include taxes; this journey crosses a border, so VAT is not shown separately."),
    );
  });

  test("the meeting point and the corridor's text are said of each direction that they are for", async () => {
    const meeting = "Arrivals hall, at the exit of customs.";
    const said = async (journey: object) => {
      const { meeting_point, return_meeting_point, limitations } = await sedanOf(journey);
      return [meeting_point, return_meeting_point, limitations.filter((text: string) => /bends/.test(text))];
    };
    const back = { return_datetime: "2027-01-27T14:00:00+01:00" };
    const bends = ["The road has many bends."];
    assert.deepEqual(await said(UP), [meeting, undefined, bends]);
    assert.equal((await said({ ...UP, origin: "46.2370, 6.1092" }))[0], meeting);
    const [up, down] = [(await said(DOWN))[0], await said({ ...DOWN, ...back })];
    assert.notEqual(up, meeting);
    assert.deepEqual(down, [up, meeting, bends]);
  });

  test("the traveler's page, errors and the card bear name, logo and color", async (t) => {
    const read = async (path: string) => {
      const response = await patientFetch(`${service.publicUrl}${path}`, { headers: { Accept: "text/html" } });
      return [response.headers.get("content-type"), await response.text()] as const;
    };
    assert.deepEqual(await read("/logo"), ["image/svg+xml", LOGO]);
    const [type, style] = await read("/brand.css");
    assert.equal(type, "text/css; charset=utf-8");
    assert.match(style, /^:root \{ --accent: light-dark\(#7a1f3d, [^;]+; --fill: light-dark\(#7a1f3d, .*\.brand img/s);
    for (const path of ["/checkout", "/nowhere"]) {
      const [, page] = await read(path);
      for (const part of ["Léman Cars<", 'src="/logo"', 'href="/brand.css"']) assert.ok(page.includes(part), path);
    }
    const mcp = await anMcpClient(t, service.publicUrl, await service.token());
    const { contents } = await mcp.client.readResource({ uri: "ui://transfer-quote/card" });
    const html = contents.map((each) => ("text" in each ? each.text : "")).join();
    const [, packed = ""] = /id="catalog">(.*?)<\/script>/.exec(html) ?? [];
    assert.deepEqual(JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()).operator, {
      ...{ name: "Léman Cars", phone: "+41 22 717 71 11", color: "#7a1f3d" },
      logo: `data:image/svg+xml;base64,${Buffer.from(LOGO).toString("base64")}`,
    });
  });

  test("report --sales has the VAT of what was handed over, and none of a journey across the border", async (t) => {
    const token = await service.token({ subject: "vat" });
    for (const destination of ["Verbier", "Chamonix"]) {
      const { body } = await service.api("/quotes", { token, body: { ...UP, destination, passengers: 2 } });
      const { fleet_id } = body.options.find(({ vehicle_class }: Fields) => vehicle_class === "sedan");
      const terms = { quote_id: body.quote_id, fleet_id, traveler_approval: true };
      assert.equal((await service.api("/checkout-sessions", { token, body: terms })).status, 200);
    }
    assert.deepEqual(
      (await soldOf(t, service.dataDir)).map((row) => [row.handed_over_total, row.handed_over_vat]),
      [
        [390, 29.22],
        [250, null],
      ],
    );
  });
});

/** The service of a company with tokens of its own identity provider, which say which client calls. */
async function ofClients(t: TestContext, folder: string) {
  const clock = aClock();
  const issuer = await startIssuer(t, clock);
  const env = {
    TRANSFER_CATALOG_DIR: folder,
    TRANSFER_AUTH_ISSUER: issuer.issuer,
    TRANSFER_AUTH_AUDIENCE: issuer.audience,
  };
  return { issuer, ...(await aService(t, { env, clock })) };
}

test("a client's own prices go by its token alone, and its commission of 12 % of 351 is in report --sales", async (t) => {
  const { issuer, api, dataDir } = await ofClients(t, catalog);
  const quoted = async (claims: Fields, path = "/quotes") => {
    const { status, body } = await api(path, { token: await issuer.sign(claims), body: UP });
    const sedan = body.options?.find(({ vehicle_class }: Fields) => vehicle_class === "sedan");
    return { status, price: sedan?.total_price, fingerprint: body.route_basis?.route_fingerprint, body };
  };
  const { fingerprint, ...usual } = await quoted({ client_id: "another" });
  assert.deepEqual([usual.status, usual.price], [201, 390]);
  // 390 × 0.9 and × 0.95.
  const agency = await quoted({ client_id: "alpine-agency" });
  assert.deepEqual([agency.price, agency.fingerprint], [351, fingerprint]);
  const hotel = await quoted({ azp: "hotel" });
  assert.deepEqual([hotel.price, hotel.fingerprint], [370.5, fingerprint]);
  assert.equal((await quoted({ client_id: "alpine-agency" }, "/quote-intents")).price, 351);
  assert.equal((await quoted({ sub: "alpine-agency", client_id: "another" })).price, 390);

  const terms = { quote_id: agency.body.quote_id, fleet_id: 1, traveler_approval: true };
  const token = await issuer.sign({ client_id: "alpine-agency", scope: "checkout:prepare" });
  assert.equal((await api("/checkout-sessions", { token, body: terms })).status, 200);
  const sales = await soldOf(t, dataDir);
  assert.deepEqual(
    sales.map((row) => [row.handed_over_total, row.commission_percent, row.commission_total]),
    [[351, 12, 42.12]],
  );

  // A part was refunded; the rate of the day of the sale stays, whatever the catalog says later.
  const list = join(dataDir, "paid.csv");
  writeFileSync(list, `\uFEFFquote_id;paid_at;amount;note\r\n${agency.body.quote_id};2026-12-01;301.00;"a; b"\r\n`);
  const rate = (percent: number) =>
    changeCatalog(catalog, "clients.json", ({ clients }) => {
      clients.find(({ id }: Fields) => id === "alpine-agency").commissionPercent = percent;
    });
  rate(50);
  t.after(() => rate(12));
  const [row] = await soldOf(t, dataDir, "--sold", list);
  assert.deepEqual(
    [row?.sold_at, row?.sold_total, row?.commission_percent, row?.commission_total],
    ["2026-12-01", 301, 12, 36.12],
  );
  const [total] = JSON.parse(await reportOf(t, dataDir, "--json", "--sold", list));
  const groups = JSON.parse(await reportOf(t, dataDir, "--json", "--by", "client", "--sold", list));
  assert.deepEqual([total.sold, total.sold_chf, total.commission_chf], [1, 301, 36.12]);
  assert.equal(total.sold_share, Math.round(10_000 / total.quotes) / 10_000);
  const sums = groups.map(({ client, sold, sold_chf }: Fields) => [client, sold, sold_chf]);
  assert.deepEqual(
    sums.find(([client]: [string]) => client === "alpine-agency"),
    ["alpine-agency", 1, 301],
  );
  const csv = await reportOf(t, dataDir, "--by", "class", "--sold", list, "--excel");
  assert.match(csv, /^\uFEFFclass;quotes;.*;sold;sold_chf;sold_share;commission_chf;requested\n/);
  assert.match(csv, /^sedan;.*;1;301,00;0,\d+;36,12;0$/m);
  assert.doesNotMatch(await reportOf(t, dataDir, "--by", "class"), /sold|commission/);
  const [sold, unsold] = [agency.body, hotel.body].map((body) => `${body.quote_id}`);
  const paid = (...rows: readonly string[]) => writeFileSync(list, ["quote_id,paid_at,amount", ...rows].join("\n"));
  const doubts = async (...args: readonly string[]) => {
    const { code, stderr } = await runReport(t, dataDir, "--sold", list, ...args);
    assert.equal(code, 0, stderr);
    return stderr.replaceAll(`${list}: `, "").trimEnd().split("\n");
  };
  paid(`${sold},2026-12-01,"351,00"`);
  assert.deepEqual(await doubts(), [""]);
  paid(`${sold},2026-12-01,301`, `${unsold},2026-12-01,350`, "q_of_nobody,2026-10-31,90");
  assert.deepEqual(await doubts(), [
    `CHF 301 was paid for ${sold}, but its price is CHF 351`,
    `${unsold} was paid, but no checkout link was created for it`,
    "no quote of this period has the id q_of_nobody",
  ]);
  const earlier = await doubts("--until", "2020-01-02", "--since", "2020-01-01");
  assert.equal(earlier[0], `no quote of this period has the id ${sold}`);
  for (const [text, expected] of [
    ["id,paid_at,amount\n", /its first line is "id,paid_at,amount"; allowed: a head with quote_id, paid_at, amount/],
    ["quote_id,paid_at,amount\nq_a,x,1\nq_a,y,2\n", /line 3: q_a is listed twice/],
    ["quote_id,paid_at,amount\nZJNI7Z,x,1\n", /line 2: quote_id is "ZJNI7Z"; .*which find prints for a reference/],
    ["quote_id,paid_at,amount\nq_a,x,1 franc\n", /line 2: amount is "1 franc"; allowed: francs such as 490/],
    ["quote_id,paid_at,amount\nq_a,x,482,90\n", /line 2: it has more cells than the head; allowed: quotes around/],
    ["quote_id,paid_at,amount\npi_1,x,1\n", /line 2: quote_id is "pi_1"/],
  ] as const) {
    writeFileSync(list, text);
    assert.match(await reportOf(t, dataDir, "--sold", list), expected);
  }
});

/** What `report --sales` has of the quotes that were handed over. */
async function soldOf(t: TestContext, dataDir: string, ...more: readonly string[]): Promise<readonly Fields[]> {
  const rows: readonly Fields[] = JSON.parse(await reportOf(t, dataDir, "--sales", "--json", ...more));
  return rows.filter(({ handoffs }) => handoffs === 1);
}

async function reportOf(t: TestContext, dataDir: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runReport(t, dataDir, ...args);
  return stdout || stderr;
}

function runReport(t: TestContext, dataDir: string, ...args: readonly string[]) {
  const env = { TRANSFER_CATALOG_DIR: catalog, TRANSFER_DATA_DIR: dataDir };
  // The service has a clock of its own.
  const period = ["--since", "2026-11-01", "--until", "2027-01-01"];
  return runCommand(t, ["report", ...period, ...args], env);
}

test("a client's own budget is for each of its callers, and for its tiers alone", async (t) => {
  const budgets = { routing: { points: 2, seconds: 600 }, discovery: { points: 4, seconds: 600 } };
  const folder = aCompanyCatalog(t);
  changeCatalog(folder, "budgets.json", (all) => Object.assign(all, budgets));
  const { issuer, api } = await ofClients(t, folder);
  const accepted = async (path: string, claims: Fields) => {
    const token = await issuer.sign(claims);
    for (let calls = 0; ; calls += 1) if ((await api(path, { token })).status !== 200) return calls;
  };
  const route = "/routes/geneva-airport-to-verbier";
  const agency = (sub: string) => ({ sub, client_id: "alpine-agency" });
  assert.equal(await accepted(route, { sub: "one" }), 2);
  assert.equal(await accepted(route, agency("one")), 3);
  assert.equal(await accepted(route, agency("two")), 3);
  assert.equal(await accepted("/vehicle-classes", agency("one")), 4);
});

test("quote --client prices as the client's calls, and refuses an unknown one", async (t) => {
  const command = ["quote", "Geneva Airport", "Verbier", "--json", "--catalog", catalog];
  const priced = async (...more: string[]) => {
    const { stdout } = await runCommand(t, [...command, "--at", "2027-01-20 14:00", ...more]);
    return JSON.parse(stdout).options.find(({ vehicle_class }: Fields) => vehicle_class === "sedan").total_price;
  };
  assert.deepEqual([await priced(), await priced("--client", "alpine-agency")], [390, 351]);
  const { code, stderr } = await runCommand(t, [...command, "--client", "nobody"]);
  assert.deepEqual([code, stderr], [2, '--client is "nobody"; clients.json has no such client\n']);
});
