import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { pricingOf } from "../../../src/operate/compose/embedded-pricing.ts";
import { changeCatalog } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { aCompanyCatalog, LOGO } from "../../support/company-catalog.ts";
import { aClock } from "../../support/fake-clock.ts";
import { startIssuer } from "../../support/issuer.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { linkPath } from "../../support/machines.ts";
import { anMcpClient, type Fields } from "../../support/mcp-client.ts";
import { aService, request } from "../../support/service.ts";
import { type Setup, told } from "../../support/told.ts";

const folder = aCompanyCatalog(wholeFile);
const { catalog, ...loaded } = pricingOf(loadCatalog(folder));
const company: Setup = { ...loaded, rules: catalog };
const WAY = { origin: "Geneva Airport", destination: "Verbier" };
const REQUEST = { ...WAY, pickup_datetime: "2027-01-20T14:00:00+01:00", passengers: 2 };
const sedanIn = ({ options = [] }: Fields): Fields =>
  options.find(({ vehicle_class }: Fields) => vehicle_class === "sedan") ?? {};

suite("a company's catalog", () => {
  const [UP, DOWN] = ["Geneva Airport > Verbier", "Verbier > Geneva Airport"];
  told(
    "has a fixed fare both ways, in its season, on a holiday outside of it, at night and back within 7 days",
    company,
    `${UP}; at 2027-01-20 14:00   -> costs 39000
     ${DOWN}; at 2027-01-20 14:00 -> costs 39000
     ${UP}; at 2027-01-01 14:00   -> costs of a season, without holiday surcharge 39000 + 9750 = 48750
     ${UP}; at 2027-03-29 14:00   -> costs of a holiday outside of it 39000 + 3900 = 42900
     ${UP}; at 2027-01-20 23:00   -> costs with the night supplement 39000 + 3000 = 42000
     ${UP}; at 2027-01-20 14:00; back 2027-01-27 14:00 -> costs within 7 days 2 × 39000 × 0.95 = 74100
     ${UP}; at 2027-01-20 14:00; back 2027-01-28 14:00 -> costs 2 × 39000 = 78000`,
  );
  told(
    "charges the extras beyond the free ones, in each direction, and those of the journey once",
    company,
    `${UP}; at 2027-01-20 14:00; with 1 child_seat     -> costs with a free seat 39000
     ${UP}; at 2027-01-20 14:00; people 3; with 3 child_seat -> costs 39000 + 2 × 1000 = 41000
     ${UP}; at 2027-01-20 14:00; people 3; back 2027-01-28 14:00; with 3 child_seat -> costs 78000 + 2 × 2000 = 82000
     ${UP}; at 2027-01-20 14:00; with 1 meet_and_greet -> costs 39000 + 2500 = 41500
     ${DOWN}; at 2027-01-20 14:00; back 2027-01-28 14:00; with 1 meet_and_greet -> costs it once 78000 + 2500 = 80500`,
  );
  told(
    "refuses an extra of airports at another pickup, and every journey on a blackout day",
    company,
    `${DOWN}; at 2027-01-20 14:00; with 1 meet_and_greet -> refuses INVALID_REQUEST
      -> says special_items.0.kind
     ${UP}; at 2027-02-14 14:00 -> refuses NO_ELIGIBLE_VEHICLE
      -> says All cars serve the race.`,
  );
  told(
    "shows VAT within the country, 39000 × 8.1 / 108.1 = 2922, and the corridor's text in both directions",
    company,
    `${UP}; at 2027-01-20 14:00 -> says Prices include 8.1 % VAT: CHF 29.22 (Sedan),
      -> says The road has many bends.
     ${DOWN}; at 2027-01-20 14:00 -> never The road has many bends.
     ${DOWN}; at 2027-01-20 14:00; back 2027-01-27 14:00 -> says The road has many bends.
     Geneva Airport > Chamonix; at 2027-01-20 14:00 -> costs 25000
      -> says Prices include taxes; this journey crosses a border, so VAT is not shown separately.`,
  );

  test("is on the traveler's page, errors, the card, quotes and policies with name, logo, color and terms", async (t) => {
    const service = await aService(t, { env: { TRANSFER_CATALOG_DIR: folder } });
    const read = (path: string) => request(`${service.publicUrl}${path}`, { headers: { Accept: "text/html" } });
    const [logo, style] = [await read("/logo"), await read("/brand.css")];
    assert.deepEqual([logo.headers.get("content-type"), logo.text], ["image/svg+xml", LOGO]);
    assert.match(
      style.text,
      /^:root \{ --accent: light-dark\(#7a1f3d, [^;]+; --fill: light-dark\(#7a1f3d, .*\.brand img/s,
    );
    for (const path of ["/checkout", "/nowhere"])
      for (const part of ["Léman Cars<", 'src="/logo"', 'href="/brand.css"'])
        assert.ok((await read(path)).text.includes(part), path);
    const token = await service.token();
    const mcp = await anMcpClient(t, service.publicUrl, token);
    const { contents } = await mcp.client.readResource({ uri: "ui://transfer-quote/card" });
    const [, packed = ""] = /id="catalog">(.*?)<\/script>/.exec(JSON.stringify(contents).replaceAll('\\"', '"')) ?? [];
    assert.deepEqual(JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString()).operator, {
      ...{ name: "Léman Cars", phone: "+41 22 717 71 11", color: "#7a1f3d" },
      logo: `data:image/svg+xml;base64,${Buffer.from(LOGO).toString("base64")}`,
    });
    assert.equal((await service.api("/policies/invoice")).body.vat_percent, 8.1);

    const quoted = async (journey: object) =>
      (await service.api("/quotes", { token, body: { ...REQUEST, ...journey } })).body;
    const meeting = "Arrivals hall, at the exit of customs.";
    const [up, beside] = [await quoted({}), await quoted({ origin: "46.2370, 6.1092" })];
    assert.deepEqual([up.vat_percent, sedanIn(up).vat_amount], [8.1, 29.22]);
    assert.deepEqual([up.meeting_point, beside.meeting_point], [meeting, meeting]);
    const down = await quoted({
      ...{ origin: WAY.destination, destination: WAY.origin },
      return_datetime: "2027-01-27T14:00:00+01:00",
    });
    assert.notEqual(down.meeting_point, meeting);
    assert.equal(down.return_meeting_point, meeting);
  });

  test("that refunds until 48 instead of 24 hours before says so in every policy, quote, link and page", async (t) => {
    const own = aCompanyCatalog(t);
    changeCatalog(own, "policies.json", ({ policies }) => {
      for (const policy of policies) policy.fullRefundCutoffHours = 48;
    });
    const { api, clock, ...service } = await aService(t, { env: { TRANSFER_CATALOG_DIR: own } });
    const token = await service.token();
    assert.match((await api("/policies/cancellation")).body.policy_text, /up to 48 hours/);
    const quoteIn = async (hours: number) => {
      const pickup_datetime = new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
      return (await api("/quotes", { token, body: { ...REQUEST, pickup_datetime } })).body;
    };
    const [quote, late] = [await quoteIn(200), await quoteIn(30)];
    assert.equal(Date.parse(quote.free_cancellation_until), clock.now().getTime() + (200 - 48) * 3_600_000);
    assert.match(late.limitations.join("\n"), /\b48 (hours|h)\b/);
    const approved = { quote_id: quote.quote_id, fleet_id: 1, traveler_approval: true };
    const handoff = (await api("/checkout-sessions", { token, body: approved })).body;
    const page = (await api(linkPath(handoff))).body;
    assert.match(page.translations.de[page.cancellation_policy], /bis 48 Stunden/);
    assert.doesNotMatch(JSON.stringify([quote, late, handoff, page]), /\b24 (hours|h|Stunden|heures|ore)\b/);
  });
});

/** The service of a company with tokens of its own identity provider, which say which client calls. */
async function ofClients(t: TestContext, catalogDir: string, hasBudgets = false) {
  const clock = aClock();
  const { issuer, audience, sign } = await startIssuer(t, clock);
  const env = { TRANSFER_CATALOG_DIR: catalogDir, TRANSFER_AUTH_ISSUER: issuer, TRANSFER_AUTH_AUDIENCE: audience };
  return { sign, ...(await aService(t, { env, clock, hasBudgets })) };
}

test("a client's own prices go by its token alone, and what was paid is in the report with VAT and commission", async (t) => {
  const { sign, api, dataDir } = await ofClients(t, folder);
  const quoted = async (claims: Fields, path = "/quotes", body: object = REQUEST) =>
    (await api(path, { token: await sign(claims), body })).body;
  const agent = { client_id: "alpine-agency" };
  const [usual, agency, hotel] = [
    await quoted({ client_id: "another" }),
    await quoted(agent),
    await quoted({ azp: "hotel" }),
  ];
  // 390, × 0.9 and × 0.95.
  assert.deepEqual(
    [usual, agency, hotel].map((quote) => sedanIn(quote).total_price),
    [390, 351, 370.5],
  );
  assert.equal(agency.route_basis.route_fingerprint, usual.route_basis.route_fingerprint);
  assert.equal(sedanIn(await quoted(agent, "/quote-intents")).total_price, 351);
  assert.equal(sedanIn(await quoted({ sub: "alpine-agency", client_id: "another" })).total_price, 390);

  const abroad = await quoted(agent, "/quotes", { ...REQUEST, destination: "Chamonix" });
  for (const quote of [agency, abroad]) {
    const body = { quote_id: quote.quote_id, fleet_id: 1, traveler_approval: true };
    assert.equal(
      (await api("/checkout-sessions", { token: await sign({ ...agent, scope: "checkout:prepare" }), body })).status,
      200,
    );
  }
  const env = { TRANSFER_CATALOG_DIR: folder, TRANSFER_DATA_DIR: dataDir };
  // The service has a clock of its own.
  const PERIOD = ["--since", "2026-11-01", "--until", "2027-01-01"];
  const report = (...args: readonly string[]) => runCommand(t, ["report", ...PERIOD, ...args], env);
  const rowsOf = async (...args: readonly string[]): Promise<readonly Fields[]> =>
    JSON.parse((await report("--json", ...args)).stdout);
  // 351 × 8.1 / 108.1 and 12 %; 250 × 0.9.
  const sales = (await rowsOf("--sales")).filter(({ handoffs }) => handoffs === 1);
  assert.deepEqual(
    sales.map((row) => [row.handed_over_total, row.handed_over_vat, row.commission_percent, row.commission_total]),
    [
      [351, 26.3, 12, 42.12],
      [225, null, 12, 27],
    ],
  );

  // A part was refunded; the rate of the day of the sale stays, whatever the catalog says later.
  const list = join(dataDir, "paid.csv");
  writeFileSync(list, `\uFEFFquote_id;paid_at;amount;note\r\n${agency.quote_id};2026-12-01;301.00;"a; b"\r\n`);
  const rate = (percent: number) =>
    changeCatalog(folder, "clients.json", ({ clients: [first] }) => {
      first.commissionPercent = percent;
    });
  rate(50);
  t.after(() => rate(12));
  const [sold] = (await rowsOf("--sales", "--sold", list)).filter(({ sold_total }) => sold_total !== null);
  assert.deepEqual([sold?.sold_at, sold?.sold_total, sold?.commission_total], ["2026-12-01", 301, 36.12]);
  const [total] = await rowsOf("--sold", list);
  assert.deepEqual([total?.sold, total?.sold_chf, total?.commission_chf], [1, 301, 36.12]);
  assert.equal(total?.sold_share, Math.round(10_000 / total?.quotes) / 10_000);
  const groups = await rowsOf("--by", "client", "--sold", list);
  assert.equal(groups.find(({ client }) => client === "alpine-agency")?.sold_chf, 301);
  const { stdout: csv } = await report("--by", "class", "--sold", list, "--excel");
  assert.match(csv, /^\uFEFFclass;quotes;.*;sold;sold_chf;sold_share;commission_chf;requested\n/);
  assert.match(csv, /^sedan;.*;1;301,00;0,\d+;36,12;0$/m);
  assert.doesNotMatch((await report("--by", "class")).stdout, /sold|commission/);

  // The same as a payment and a refund, then refunded as a whole.
  const refunds = `quote_id,paid_at,amount\n${agency.quote_id},2026-12-01,351\n${agency.quote_id},2026-12-05,-50\n`;
  for (const [more, sums] of [
    ["", [1, 301, 36.12]],
    [`${agency.quote_id},2026-12-06,-301\n`, [0, 0, 0]],
  ] as const) {
    writeFileSync(list, refunds + more);
    const [{ sold, sold_chf, commission_chf } = {}] = await rowsOf("--sold", list);
    assert.deepEqual([sold, sold_chf, commission_chf], sums);
  }

  const head = "quote_id,paid_at,amount";
  for (const [rows, expected] of [
    [`${head}\n${agency.quote_id},2026-12-01,"351,00"`, /^$/],
    [`${head}\n${agency.quote_id},2026-12-01,301`, /CHF 301 was paid for \S+, but its price is CHF 351\n$/],
    [`${head}\n${hotel.quote_id},2026-12-01,350`, /was paid, but no checkout link was created for it\n$/],
    [`${head}\nq_of_nobody,2026-10-31,90`, /no quote of this period has the id q_of_nobody\n$/],
    ["id,paid_at,amount\n", /its first line is "id,paid_at,amount"; allowed: a head with quote_id, paid_at, amount/],
    [`${head}\n${agency.quote_id},2026-12-01,351\n${agency.quote_id},2026-12-05,-100`, /^$/],
    [`${head}\n${agency.quote_id},2026-12-01,351\n${agency.quote_id},2026-12-01,351`, /CHF 702 was paid for/],
    [`${head}\nZJNI7Z,x,1\n`, /line 2: quote_id is "ZJNI7Z"; .*which find prints for a reference/],
    [`${head}\nq_a,x,1 franc\n`, /line 2: amount is "1 franc"; allowed: francs such as 490/],
    [`${head}\nq_a,x,482,90\n`, /line 2: it has more cells than the head; allowed: quotes around/],
  ] as const) {
    writeFileSync(list, rows);
    assert.match((await report("--sold", list)).stderr, expected, rows);
  }
});

test("a client's own budget is for each of its callers, and for its tiers alone", async (t) => {
  const own = aCompanyCatalog(t);
  const budgets = { routing: { points: 2, seconds: 600 }, discovery: { points: 4, seconds: 600 } };
  changeCatalog(own, "budgets.json", (all) => Object.assign(all, budgets));
  const { sign, api } = await ofClients(t, own, true);
  const accepted = async (path: string, claims: Fields) => {
    const token = await sign(claims);
    for (let calls = 0; ; calls += 1) if ((await api(path, { token })).status !== 200) return calls;
  };
  const route = "/routes/geneva-airport-to-verbier";
  const agency = (sub: string) => ({ sub, client_id: "alpine-agency" });
  const calls = [
    ...[
      await accepted(route, { sub: "one" }),
      await accepted(route, agency("one")),
      await accepted(route, agency("two")),
    ],
    await accepted("/vehicle-classes", agency("one")),
  ];
  assert.deepEqual(calls, [2, 3, 3, 4]);
});

test("quote --client prices as the client's calls, and refuses an unknown one", async (t) => {
  const quote = (...more: string[]) =>
    runCommand(t, [
      "quote",
      WAY.origin,
      WAY.destination,
      "--json",
      "--catalog",
      folder,
      "--at",
      "2027-01-20 14:00",
      ...more,
    ]);
  const priceOf = ({ stdout }: { readonly stdout: string }) => sedanIn(JSON.parse(stdout)).total_price;
  assert.deepEqual([priceOf(await quote()), priceOf(await quote("--client", "alpine-agency"))], [390, 351]);
  const { code, stderr } = await quote("--client", "nobody");
  assert.deepEqual([code, stderr], [2, '--client is "nobody"; clients.json has no such client\n']);
});
