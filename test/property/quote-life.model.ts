import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { judge, KEPT, learn, MINUTE, type Model, nowOf, type Real, refused, see, VALID } from "./quote-life.judge.ts";

type Command = fc.AsyncCommand<Model, Real>;

export function aModel(): Model {
  return { quotes: [], links: [], answers: new Map(), prices: new Map() };
}

const REQUESTS = [{}, { passengers: 5, luggage: 3 }, { origin: "Geneva Airport", destination: "Verbier" }].map(
  (request) => aQuoteRequest({ pickup_datetime: "2027-03-02T14:00:00+01:00", ...request }),
);

const subject = fc.nat({ max: 1 });
const key = fc.option(fc.constantFrom("a", "b", "c"), { freq: 4 });
const request = fc.constantFrom(...REQUESTS);
const which = fc.nat({ max: 30 });

/** Replays, clashes and races come of few keys, few subjects and few requests. */
export const commands = fc.commands(
  [
    fc.tuple(subject, request, key).map(([...args]) => create(...args)),
    fc.tuple(subject, request, key).map(([...args]) => create(...args)),
    fc.tuple(subject, request).map(([...args]) => createAtOnce(...args)),
    fc.tuple(subject, which).map(([...args]) => read(...args)),
    fc.tuple(subject, which, which, key).map(([...args]) => handoff(...args)),
    fc.tuple(subject, which, which, key).map(([...args]) => handoff(...args)),
    which.map(resolve),
    fc.constantFrom(1, MINUTE, VALID - MINUTE, VALID, KEPT - VALID, KEPT).map(wait),
    fc.constant(null).map(crash),
  ],
  { maxCommands: 40, size: "max" },
);

function create(by: number, body: object, key: string | null): Command {
  return command(`create(${by}, ${JSON.stringify(body)}, ${key})`, async (model, real) => {
    const answer = await post(real, by, "/quotes", body, key);
    judge(model, real, { by, path: "/quotes", body, key, answer }, () => {
      assert.equal(answer.status, 201, answer.text);
      return learn(model, real, by, body, answer);
    });
  });
}

function createAtOnce(by: number, body: object): Command {
  return command(`createAtOnce(${by}, ${JSON.stringify(body)})`, async (model, real) => {
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => post(real, by, "/quotes", body, key)));
    const fresh = answers.filter(({ headers }) => headers.get("idempotent-replayed") === null);
    const [first] = fresh;
    assert.ok(first && fresh.length === 1, "one of them makes the quote");
    judge(model, real, { by, path: "/quotes", body, key, answer: first }, () => learn(model, real, by, body, first));
    for (const { status, text } of answers) assert.deepEqual([status, text], [201, first.text]);
    see(real, "raced");
  });
}

function read(by: number, index: number): Command {
  return command(`read(${by}, ${index})`, async (model, real) => {
    const known = pick(model.quotes, index);
    if (!known) return;
    const answer = await real.service().api(`/quotes/${known.quote.quote_id}`, { token: await tokenOf(real, by) });
    const now = nowOf(real);
    if (known.owner !== by || now >= known.expiresAt + KEPT) return refused(real, answer, 404, "QUOTE_NOT_FOUND");
    const status = now < known.expiresAt ? "open" : "expired";
    assert.deepEqual([answer.status, answer.body], [200, { ...known.quote, status }]);
    see(real, `read ${status}`);
  });
}

function handoff(by: number, index: number, option: number, key: string | null): Command {
  return command(`handoff(${by}, ${index}, ${option}, ${key})`, async (model, real) => {
    const known = pick(model.quotes, index);
    if (!known) return;
    const { fleet_id, total_price, requires_manual_confirmation } = pick(known.quote.options as Option[], option) ?? {};
    const { quote_id } = known.quote;
    const body = { quote_id, fleet_id, traveler_approval: true };
    const answer = await post(real, by, "/checkout-sessions", body, key);
    judge(model, real, { by, path: "/checkout-sessions", body, key, answer }, () => {
      const now = nowOf(real);
      if (known.owner !== by || now >= known.expiresAt + KEPT) return refused(real, answer, 404, "QUOTE_NOT_FOUND");
      if (now >= known.expiresAt) return refused(real, answer, 409, "QUOTE_EXPIRED");
      if (requires_manual_confirmation) return refused(real, answer, 409, "MANUAL_CONFIRMATION_REQUIRED");
      assert.deepEqual([answer.status, answer.body.total_price], [200, total_price], answer.text);
      const sig = new URL(answer.body.checkout_url).searchParams.get("sig");
      const path = `/checkout-sessions/${quote_id}?fleet_id=${fleet_id}&sig=${sig}`;
      model.links.push({ path, totalPrice: answer.body.total_price, expiresAt: known.expiresAt });
      see(real, "handed over");
    });
  });
}

function resolve(index: number): Command {
  return command(`resolve(${index})`, async (model, real) => {
    const link = pick(model.links, index);
    if (!link) return;
    const answer = await real.service().api(link.path);
    const now = nowOf(real);
    if (now >= link.expiresAt + KEPT) return refused(real, answer, 404, "QUOTE_NOT_FOUND");
    if (now >= link.expiresAt) return refused(real, answer, 409, "QUOTE_EXPIRED");
    assert.deepEqual([answer.status, answer.body.total_price], [200, link.totalPrice], answer.text);
    see(real, "resolved");
  });
}

function wait(milliseconds: number): Command {
  return command(`wait(${milliseconds})`, async (_model, real) => real.service().clock.advance(milliseconds));
}

function crash(): Command {
  return command("crash()", (_model, real) => real.crash());
}

interface Option {
  readonly fleet_id?: number;
  readonly total_price?: number;
  readonly requires_manual_confirmation?: boolean;
}

async function post(real: Real, by: number, path: string, body: object, key: string | null) {
  const headers: Record<string, string> = key === null ? {} : { "Idempotency-Key": key };
  return real.service().api(path, { token: await tokenOf(real, by), body, headers });
}

function tokenOf(real: Real, by: number): Promise<string> {
  return real.service().token({ subject: `agent-${by}-${real.run}` });
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % items.length];
}

function command(text: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => text };
}
