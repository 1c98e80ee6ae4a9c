import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod/v3";
import { type Call, type CallPipelineParts, createCallPipeline } from "../../src/calls/call-pipeline.ts";
import type { FinishedCall, OnFinished } from "../../src/calls/finished-call.ts";
import type { OperationContext } from "../../src/calls/operation.ts";
import { defineOperation, type Operation } from "../../src/calls/operation.ts";
import { PublicError } from "../../src/contract/errors.ts";
import type { Principal } from "../../src/identity/token-verifier.ts";
import { aClock } from "../support/fake-clock.ts";

const STEPS = ["verify", "charge", "input", "findRecord", "handle"] as const;
type Step = (typeof STEPS)[number];

test("runs the steps of a call in order", async () => {
  const { run, steps } = aPipeline();
  const outcome = await run({});
  assert.deepEqual(outcome, { ok: true, value: { done: "yes" }, replayed: false });
  assert.deepEqual(steps, STEPS);
});

for (const step of STEPS) {
  test(`turns an error at "${step}" into a problem and runs no later step`, async () => {
    for (const fault of [new Error("hunter2"), "hunter2", undefined, null, { code: "OK" }]) {
      const { run, steps, records } = aPipeline({ [step]: fault });
      const outcome = await run({});
      assert.equal(outcome.ok, false);
      assert.equal(!outcome.ok && outcome.problem.code, "UPSTREAM_UNAVAILABLE");
      assert.equal(JSON.stringify(outcome).includes("hunter2"), false);
      assert.deepEqual(steps, STEPS.slice(0, STEPS.indexOf(step) + 1));
      if (fault)
        assert.deepEqual(
          records.map(({ requestId, cause }) => [requestId, cause]),
          [["req_1", fault]],
        );
    }
  });

  test(`reports a public error at "${step}" unchanged`, async () => {
    const { run } = aPipeline({ [step]: new PublicError("QUOTE_UNAVAILABLE", "Not now.") });
    const outcome = await run({});
    assert.equal(!outcome.ok && outcome.problem.code, "QUOTE_UNAVAILABLE");
  });
}

test("rejects arguments that are not an object as INVALID_REQUEST", async () => {
  for (const input of [null, undefined, 3, "text", [], () => 1]) {
    const { run, records } = aPipeline();
    const outcome = await run({ input: () => input });
    assert.equal(!outcome.ok && outcome.problem.code, "INVALID_REQUEST");
    assert.deepEqual(
      records.map(({ cause }) => cause),
      [undefined],
    );
  }
});

test("reports no cause when the caller has disconnected", async () => {
  const { run, records } = aPipeline({ handle: new Error("aborted") });
  assert.equal((await run({ signal: AbortSignal.abort() })).ok, false);
  assert.deepEqual(
    records.map(({ cause, disconnected }) => [cause, disconnected]),
    [[undefined, true]],
  );
});

test("reports every finished call with its caller and its outcome", async () => {
  const finished: unknown[] = [];
  const onFinished: OnFinished = ({ operation, code, status, principal, milliseconds }) =>
    finished.push([operation, code, status, principal?.subject, milliseconds >= 0]);
  await aPipeline({}, undefined, { onFinished }).run({});
  await aPipeline({ handle: new Error("x") }, undefined, { onFinished }).run({});
  await aPipeline({}, undefined, { onFinished }).run({ bearer: null });
  await aPipeline({}, undefined, { onFinished }).run({ successStatus: 201 });
  assert.deepEqual(finished, [
    ["do_it", "OK", 200, "agent-1", true],
    ["do_it", "UPSTREAM_UNAVAILABLE", 503, "agent-1", true],
    ["do_it", "AUTHENTICATION_REQUIRED", 401, undefined, true],
    ["do_it", "OK", 201, "agent-1", true],
  ]);
});

test("verifies no token again of which admit has found the principal, but checks its scope", async () => {
  const admitted = { subject: "agent-2", scopes: new Set(["quote:create"]) } as unknown as Principal;
  const { run, steps } = aPipeline();
  assert.equal((await run({ principal: admitted })).ok, true);
  assert.deepEqual(steps, ["charge", "input", "findRecord", "handle"]);
  const outcome = await run({ principal: { ...admitted, scopes: new Set() } });
  assert.equal(!outcome.ok && outcome.problem.code, "AUTHENTICATION_REQUIRED");
});

test("stops a handler with an idempotency key when its caller disconnects", async () => {
  const leaving = new AbortController();
  const handle = async (_input: unknown, { signal }: OperationContext) => {
    leaving.abort(new Error("left"));
    signal.throwIfAborted();
    return { done: "yes" };
  };
  const { run } = aPipeline();
  assert.equal((await run({ signal: leaving.signal }, { handle })).ok, false);
  assert.equal((await run({ signal: leaving.signal }, { handle })).ok, false);
});

/** A pipeline that records which of its steps run; each throws its entry in `faults`. */
function aPipeline(
  faults: Partial<Record<Step, unknown>> = {},
  answer: unknown = { done: "yes" },
  more: Partial<CallPipelineParts> = {},
) {
  const steps: Step[] = [];
  const records: FinishedCall[] = [];
  const pass = <V>(step: Step, value: V): V => {
    steps.push(step);
    if (step in faults) throw faults[step];
    return value;
  };
  const operation = defineOperation({
    name: "do_it",
    title: "Do it",
    description: "Does it.",
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    access: { kind: "scope", scope: "quote:create" },
    rateTier: "discovery",
    input: z.object({ idempotency_key: z.string() }).strict(),
    output: z.object({ done: z.string() }),
    errors: [],
    async handle() {
      return pass("handle", answer as { done: string });
    },
  });
  const principal = { subject: "agent-1", scopes: new Set(["quote:create"]) };
  const parts = {
    clock: aClock(),
    catalog: { tariff: { timeZone: "Europe/Zurich" } },
    onFinished: (call: FinishedCall) => records.push(call),
    docsBase: "https://docs.test",
    blockedSubjects: new Set(),
    tokens: { verify: async () => pass("verify", principal) },
    limiter: { charge: async (tier: string) => void (tier === "discovery" && pass("charge", undefined)) },
    quotes: { findRecord: async () => pass("findRecord", undefined), insert: async () => undefined },
    ...more,
  } as unknown as CallPipelineParts;
  const call: Call = {
    input: () => pass("input", { idempotency_key: "k" }),
    bearer: "token",
    address: "192.0.2.1",
    requestId: "req_1",
    surface: "rest",
    instance: null,
    signal: new AbortController().signal,
  };
  const run = (changes: Partial<Call>, declared: object = {}) =>
    createCallPipeline(parts).run({ ...operation, ...declared } as Operation, { ...call, ...changes });
  return { run, steps, records };
}
