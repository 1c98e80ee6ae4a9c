import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { ERROR_CODES, ERRORS, type ErrorCode } from "../../../src/contract/errors.ts";
import { packageRoot } from "../../../src/ops/package-root.ts";
import { dates, RETRY_SECONDS, type Rehearsal, rehearsals } from "../../../src/service/sandbox/rehearsals.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aQuoteRequest, asCreated } from "../../support/journey-fixture.ts";
import { wholeFile } from "../../support/lifetime.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { type ApiAnswer, aService } from "../../support/service.ts";

const { api, clock, ...service } = await aService(wholeFile);
const token = await service.token();
const quoted = (change: object) => api("/quotes", { token, body: aQuoteRequest({ ...change }) });

test("names and dates provoke each code, and each retryable one once, with success at a retry", () => {
  const provoked = [...rehearsals, ...dates].flatMap(({ code }) => code ?? []);
  assert.deepEqual(new Set(provoked), new Set(ERROR_CODES));
  const retryable = ERROR_CODES.filter((code) => ERRORS[code].retryable);
  assert.deepEqual(new Set(rehearsals.flatMap(({ isOnce, code }) => (isOnce && code) || [])), new Set(retryable));
});

suite("over REST", () => {
  for (const rehearsal of rehearsals) test(rehearsal.name, () => walk(rehearsal));
  for (const { field, value, code } of dates)
    test(`${field} ${value}`, async () => {
      const { status, body } = await quoted({ [field]: value });
      assert.deepEqual([body.code, status], [code, ERRORS[code].status]);
    });
});

test("of two names that shorten the validity the shorter one counts", async () => {
  const ends = ["60", "5"].map((seconds) => `Sandbox: expires in ${seconds} seconds`);
  const { body } = await quoted({ origin: ends[0], destination: ends[1] });
  assert.equal(Date.parse(body.expires_at), clock.now().getTime() + 5_000);
});

test("docs/rehearsal.mjs has an answer to every branch", async (t) => {
  // The script has no clock but the machine's.
  const clock = aClock(new Date().toISOString());
  const own = await aService(t, { clock });
  const ticking = setInterval(() => clock.advance(500), 100);
  t.after(() => clearInterval(ticking));
  const script = join(packageRoot, "docs", "rehearsal.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, own.publicUrl, await own.token()]);
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

/** Everything that the table says of one name. */
async function walk(rehearsal: Rehearsal): Promise<void> {
  const { name, code, refuses, isOnce, validSeconds } = rehearsal;
  if (refuses === "journey") {
    await assertRefused(rehearsal, () => quoted({ destination: name }));
    if (!isOnce) return;
  }
  const { status, body: quote } = await quoted({ destination: name });
  assert.equal(status, 201, quote.detail);
  assert.deepEqual([quote.status, quote.destination], ["open", name]);
  assertMarked(quote, name);
  const { fleet_id } = quote.options.findLast((option: Fields) => !option.on_request);
  const checkOut = (fleet = fleet_id) => {
    const body = { quote_id: quote.quote_id, fleet_id: fleet, traveler_approval: true };
    return api("/checkout-sessions", { token, body });
  };
  const read = () => api(`/quotes/${quote.quote_id}`, { token });

  if (rehearsal.isLost) {
    for (const answer of [await read(), await checkOut()]) assertCode(answer, "QUOTE_NOT_FOUND");
    return;
  }
  assert.deepEqual(asCreated((await read()).body), quote);
  if (refuses === "checkout") {
    await assertRefused(rehearsal, checkOut);
    if (!isOnce) return;
  }
  if (rehearsal.isManual) {
    assert.deepEqual([quote.requires_manual_confirmation, quote.route_basis.automatically_payable], [true, false]);
    return assertProblem(await checkOut(), code);
  }
  if (rehearsal.hasOptionOnRequest) {
    const onRequest = quote.options.filter((option: Fields) => option.on_request);
    assert.ok(onRequest.length > 0 && onRequest.length < quote.options.length);
    const [requested] = onRequest.at(-1).vehicle_type.split(",");
    assert.ok(quote.limitations.some((text: string) => text.startsWith(`On request: ${requested}. `)));
    for (const option of onRequest) assertProblem(await checkOut(option.fleet_id), code);
  }
  if (name.endsWith("pass avoided")) assert.match(quote.limitations.join("\n"), /Sandbox Pass is usually closed/);
  const handoff = await checkOut();
  assert.equal(handoff.status, 200, handoff.body.detail);
  assertMarked(handoff.body, name);
  // What the traveler's page asks for.
  const resolve = () => api(`/checkout-sessions/${quote.quote_id}${new URL(handoff.body.checkout_url).search}`);
  if (validSeconds) clock.advance(validSeconds * 1000 - 1);
  const resolved = await resolve();
  assert.deepEqual([resolved.status, resolved.body.total_price], [200, handoff.body.total_price]);
  assertMarked(resolved.body, name);
  if (!validSeconds) return;
  clock.advance(1);
  const { request, next_action, ...kept } = (await read()).body;
  const { next_action: _, ...priced } = quote;
  assert.deepEqual(kept, { ...priced, status: "expired" });
  assert.equal(request.destination, name);
  assert.match(next_action, /arguments in request/);
  for (const answer of [await checkOut(), await resolve()]) assertCode(answer, code);
}

async function assertRefused({ code, isOnce }: Rehearsal, send: () => Promise<ApiAnswer>): Promise<void> {
  const answer = await send();
  assertProblem(answer, code);
  const { retryable } = ERRORS[code ?? assert.fail()];
  assert.equal(answer.body.retryable, retryable);
  assert.equal(answer.headers.get("retry-after"), retryable ? String(RETRY_SECONDS) : null);
  if (isOnce) {
    clock.advance(1000);
    const { headers } = await send();
    assert.equal(headers.get("retry-after"), String(RETRY_SECONDS - 1), "it is refused until then");
  }
  clock.advance(RETRY_SECONDS * 1000);
  if (!isOnce) assertProblem(await send(), code);
}

function assertProblem(answer: ApiAnswer, code: ErrorCode | undefined): void {
  assertCode(answer, code);
  assert.match(answer.body.detail, /^Rehearsal: /);
}

function assertCode({ status, body }: ApiAnswer, code: ErrorCode | undefined): void {
  const { retryable, ...real } = ERRORS[code ?? assert.fail()];
  const told = [body.code, body.status, status, body.retryable];
  assert.deepEqual(told, [code, status, real.status, retryable], body.detail);
}

function assertMarked({ limitations }: Fields, name: string): void {
  const text = limitations.find((each: string) => each.startsWith("Rehearsal: "));
  assert.ok(text?.includes(name), limitations.join(" "));
}
