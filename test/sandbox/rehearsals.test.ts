import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { operations } from "../../rest-shim/operations.ts";
import { httpRequest } from "../../rest-shim/parameters.ts";
import { ERROR_CODES, ERRORS, type ErrorCode } from "../../src/contract/errors.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { dates, RETRY_SECONDS, type Rehearsal, rehearsals } from "../../src/sandbox/rehearsals.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { anMcpClient, anMcpHost, type Fields, type TestMcpClient } from "../support/mcp-client.ts";
import { request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

/** What a call answers; `status` is 200 for every success. */
interface Answer {
  readonly status: number;
  readonly body: Fields;
  readonly retryAfter?: string | null;
}
type Call = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;

const OPERATIONS: Readonly<Record<string, string>> = {
  create_transfer_quote: "createQuote",
  estimate_transfer_quote: "createQuoteEstimate",
  get_transfer_quote: "getOwnQuote",
  create_checkout_handoff: "createCheckoutHandoff",
};

const { publicUrl, token } = await startBuiltServer(wholeFile, {
  TRANSFER_CATALOG_DIR: aCatalogWithBudgets(wholeFile),
  TRANSFER_LOG_LEVEL: "silent",
});

const overRest: Call = async (tool, args) => {
  const row = operations.find(({ operationId }) => operationId === OPERATIONS[tool]) ?? assert.fail(tool);
  const { path, ...sent } = httpRequest(row, args);
  const { status, body, headers } = await request(publicUrl + path, { ...sent, token });
  if (status >= 400) assert.equal(body.status, status);
  return { status: status < 300 ? 200 : status, body, retryAfter: headers.get("retry-after") };
};

function overMcp({ client }: TestMcpClient): Call {
  return async (name, args) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const body = JSON.parse((content as { text: string }[]).at(-1)?.text ?? "");
    return { status: isError ? body.status : 200, body };
  };
}

test("names and dates provoke each code", () => {
  const provoked = [...rehearsals, ...dates].flatMap(({ code }) => code ?? []);
  assert.deepEqual(new Set(provoked), new Set(ERROR_CODES));
});

test("each retryable code has a name that succeeds at a retry", () => {
  const retryable = ERROR_CODES.filter((code) => ERRORS[code].retryable);
  assert.deepEqual(new Set(rehearsals.flatMap(({ isOnce, code }) => (isOnce && code) || [])), new Set(retryable));
});

// They mostly wait.
suite("rehearsals", { concurrency: 4 }, () => {
  // Fewer calls at a time than the server would shed on a slow machine.
  suite("over REST", { concurrency: 6 }, () => {
    for (const rehearsal of rehearsals) test(rehearsal.name, () => walk(rehearsal, overRest));
    for (const { field, value, code } of dates)
      test(`${field} ${value}`, async () => {
        const { status, body } = await overRest("create_transfer_quote", aRealJourney({ [field]: value }));
        assert.deepEqual([body.code, status], [code, ERRORS[code].status]);
      });
  });

  test("over MCP, also on stdio", async (t) => {
    // A party of its own, since a refusal ends with the next equal request.
    for (const client of [await anMcpClient(t, publicUrl, token), await anMcpHost(t)])
      for (const name of [
        "Sandbox: authentication required",
        "Sandbox: route unavailable once",
        "Sandbox: road closed",
      ])
        await walk(rehearsals.find((each) => each.name === name) ?? assert.fail(name), overMcp(client), {
          passengers: 3,
        });
  });

  test("docs/rehearsal.mjs has an answer to every branch", async () => {
    const script = join(packageRoot, "docs", "rehearsal.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [script, publicUrl, token]);
    for (const line of [
      /^Bern: link handed over, CHF \d+/m,
      /^Sandbox: route unavailable once: link handed over, CHF \d+/m,
      /^Sandbox: upstream unavailable: given up, UPSTREAM_UNAVAILABLE/m,
      /^Sandbox: forbidden: given up, FORBIDDEN: Contact the operator/m,
      /^Sandbox: invalid location: asked the traveler to choose between .+ and .+/m,
      /^Sandbox: manual confirmation: asked the traveler to call the operator: .* 12 km from the nearest road in the data of this service/m,
      /^Sandbox: checkout rate limited once: link handed over/m,
    ])
      assert.match(stdout, line);
  });
});

/** Everything that the table says of one name. */
async function walk(rehearsal: Rehearsal, call: Call, party: object = {}): Promise<void> {
  const { name, code, refuses, isOnce } = rehearsal;
  const journey = aRealJourney({ destination: name, ...party });
  if (refuses === "journey") {
    await assertRefused(rehearsal, () => call("create_transfer_quote", journey));
    if (!isOnce) return;
  }
  const { status, body: quote } = await call("create_transfer_quote", journey);
  assert.equal(status, 200, quote.detail);
  assert.deepEqual([quote.status, quote.destination], ["open", name]);
  assertMarked(quote, name);
  const { fleet_id } = quote.options.findLast((option: Fields) => !option.on_request);
  const checkOut = (fleet = fleet_id) =>
    call("create_checkout_handoff", { quote_id: quote.quote_id, fleet_id: fleet, traveler_approval: true });
  const read = () => call("get_transfer_quote", { quote_id: quote.quote_id });

  if (rehearsal.validSeconds) return assertExpires(rehearsal, quote, read, checkOut);
  if (rehearsal.isLost) {
    for (const answer of [await read(), await checkOut()]) assertProblem(answer, "QUOTE_NOT_FOUND");
    return;
  }
  assert.deepEqual((await read()).body, quote);
  if (refuses === "checkout") {
    await assertRefused(rehearsal, checkOut);
    if (!isOnce) return;
  }
  if (rehearsal.doubt) {
    assert.deepEqual([quote.requires_manual_confirmation, quote.route_basis.automatically_payable], [true, false]);
    return assertProblem(await checkOut(), code);
  }
  if (rehearsal.hasOptionOnRequest) {
    const onRequest = quote.options.filter((option: Fields) => option.on_request);
    assert.ok(onRequest.length > 0 && onRequest.length < quote.options.length);
    const classes = onRequest.map((option: Fields) => option.vehicle_class).join(", ");
    assert.ok(quote.limitations.some((text: string) => text.startsWith(`On request: ${classes}. `)));
    for (const option of onRequest) assertProblem(await checkOut(option.fleet_id), code);
  }
  if (rehearsal.avoidsPass) assert.match(quote.limitations.join("\n"), /Sandbox Pass is usually closed/);
  const handoff = await checkOut();
  assert.equal(handoff.status, 200, handoff.body.detail);
  assertMarked(handoff.body, name);
  const resolved = await resolve(handoff.body.checkout_url);
  assert.deepEqual([resolved.status, resolved.body.total_price], [200, handoff.body.total_price]);
  assertMarked(resolved.body, name);
}

async function assertRefused({ code, isOnce }: Rehearsal, send: () => Promise<Answer>): Promise<void> {
  const answer = await send();
  assertProblem(answer, code);
  const { retryable } = ERRORS[code ?? assert.fail()];
  assert.equal(answer.body.retryable, retryable);
  const { retryAfter } = answer;
  if (retryAfter !== undefined) assert.equal(retryAfter, retryable ? String(RETRY_SECONDS) : null);
  if (retryable) await sleep(RETRY_SECONDS * 1000 + 50);
  if (!isOnce) assertProblem(await send(), code);
}

async function assertExpires(
  { code, validSeconds = 0 }: Rehearsal,
  quote: Fields,
  read: () => Promise<Answer>,
  checkOut: () => Promise<Answer>,
): Promise<void> {
  const left = Date.parse(quote.expires_at) - Date.now();
  assert.ok(left <= validSeconds * 1000, `${left} ms`);
  // Links before and after expiry are tested with a clock that stands still.
  if (validSeconds > 10) return;
  await sleep(left + 50);
  assert.deepEqual((await read()).body, { ...quote, status: "expired" });
  assertProblem(await checkOut(), code);
}

/** What the traveler's page asks. */
async function resolve(checkoutUrl: string): Promise<Answer> {
  const { origin, searchParams } = new URL(checkoutUrl);
  const { quote_id, ...query } = Object.fromEntries(searchParams);
  const path = `/api/public/v1/checkout-sessions/${quote_id}?${new URLSearchParams(query)}`;
  return request(origin + path);
}

function assertProblem({ status, body }: Answer, code: ErrorCode | undefined): void {
  assert.deepEqual([body.code, status], [code, ERRORS[code ?? assert.fail()].status], body.detail);
  assert.match(body.detail, /^Rehearsal: /);
}

function assertMarked({ limitations }: Fields, name: string): void {
  const text = limitations.find((each: string) => each.startsWith("Rehearsal: "));
  assert.ok(text?.includes(name), limitations.join(" "));
}
