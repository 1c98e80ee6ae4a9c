import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod/v3";
import { PublicError } from "../../src/contract/errors.ts";
import { type Call, createEngine, type EngineParts } from "../../src/engine/engine.ts";
import { defineOperation } from "../../src/engine/operation.ts";
import { aClock } from "../support/fake-clock.ts";
import { aRecordingLog } from "../support/recording-log.ts";

const STEPS = ["verify", "charge", "input", "handle"] as const;
/** What has failed may have been answered before. */
type Step = (typeof STEPS)[number] | "findRecord";

test("the steps of a call come in their order", async () => {
  const { run, steps } = anEngine();
  const outcome = await run({});
  assert.deepEqual(outcome, { ok: true, value: { done: "yes" }, replayed: false });
  assert.deepEqual(steps, STEPS);
});

for (const step of STEPS) {
  test(`a fault at "${step}" is an outcome, and no later step runs`, async () => {
    for (const fault of [new Error("hunter2"), "hunter2", undefined, null, { code: "OK" }]) {
      const { run, steps, records } = anEngine({ [step]: fault });
      const outcome = await run({});
      assert.equal(outcome.ok, false);
      assert.equal(!outcome.ok && outcome.problem.code, "UPSTREAM_UNAVAILABLE");
      assert.equal(JSON.stringify(outcome).includes("hunter2"), false);
      const looksUp = step === "handle" ? ["findRecord"] : [];
      assert.deepEqual(steps, [...STEPS.slice(0, STEPS.indexOf(step) + 1), ...looksUp]);
      if (fault)
        assert.deepEqual(
          records.map(({ facts }) => facts.request_id),
          ["req_1"],
        );
    }
  });

  test(`a public error at "${step}" is its own outcome`, async () => {
    const { run } = anEngine({ [step]: new PublicError("QUOTE_UNAVAILABLE", "Not now.") });
    const outcome = await run({});
    assert.equal(!outcome.ok && outcome.problem.code, "QUOTE_UNAVAILABLE");
  });
}

test("a look-up that fails is the outcome of what is refused, which may have been answered before", async () => {
  for (const fault of [
    new Error("hunter2"),
    undefined,
    new PublicError("UPSTREAM_UNAVAILABLE", "Not now."),
  ]) {
    const handle = new PublicError("PAST_DATETIME", "Too late.");
    const outcome = await anEngine({ findRecord: fault, handle }).run({});
    assert.equal(!outcome.ok && outcome.problem.code, "UPSTREAM_UNAVAILABLE");
    assert.equal(JSON.stringify(outcome).includes("hunter2"), false);
    assert.equal((await anEngine({ findRecord: fault }).run({})).ok, true);
  }
});

test("a wrong answer is an outcome", async () => {
  const { run, records } = anEngine({}, { done: 7 });
  const outcome = await run({});
  assert.equal(!outcome.ok && outcome.problem.code, "UPSTREAM_UNAVAILABLE");
  assert.equal(records.length, 1);
});

test("arguments that are no object are refused, not a fault", async () => {
  for (const input of [null, undefined, 3, "text", [], () => 1]) {
    const { run, records } = anEngine();
    const outcome = await run({ input: () => input });
    assert.equal(!outcome.ok && outcome.problem.code, "INVALID_REQUEST");
    assert.deepEqual(records, []);
  }
});

test("what fails because the caller has gone away is nobody's fault", async () => {
  const { run, records } = anEngine({ handle: new Error("aborted") });
  assert.equal((await run({ signal: AbortSignal.abort() })).ok, false);
  assert.deepEqual(records, []);
});

test("every finished call is told to the metrics with its code", async () => {
  const finished: unknown[] = [];
  const onFinished = (operation: string, code: string, seconds: number) =>
    finished.push([operation, code, seconds >= 0]);
  await anEngine({}, undefined, { onFinished }).run({});
  await anEngine({ handle: new Error("x") }, undefined, { onFinished }).run({});
  await anEngine({}, undefined, { onFinished }).run({ bearer: null });
  const codes = ["OK", "UPSTREAM_UNAVAILABLE", "AUTHENTICATION_REQUIRED"];
  assert.deepEqual(
    finished,
    codes.map((code) => ["do_it", code, true]),
  );
});

/** An engine whose parts note when they are asked, and throw what `faults` says. */
function anEngine(
  faults: Partial<Record<Step, unknown>> = {},
  answer: unknown = { done: "yes" },
  more: Partial<EngineParts> = {},
) {
  const steps: Step[] = [];
  const { log, records } = aRecordingLog();
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
    async handle() {
      return pass("handle", answer as { done: string });
    },
  });
  const principal = { subject: "agent-1", scopes: new Set(["quote:create"]) };
  const parts = {
    clock: aClock(),
    log,
    docsBase: "https://docs.test",
    blockedSubjects: new Set(),
    tokens: { verify: async () => pass("verify", principal) },
    limiter: { charge: async (tier: string) => void (tier === "discovery" && pass("charge", undefined)) },
    quotes: { findRecord: async () => pass("findRecord", undefined) },
    ...more,
  } as unknown as EngineParts;
  const call: Call = {
    input: () => pass("input", { idempotency_key: "k" }),
    bearer: "token",
    address: "192.0.2.1",
    requestId: "req_1",
    instance: null,
    signal: new AbortController().signal,
  };
  const run = (changes: Partial<Call>) => createEngine(parts).run(operation, { ...call, ...changes });
  return { run, steps, records };
}
