import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Problem } from "../../src/contract/problem.ts";
import { anMcpClient } from "../support/mcp-client.ts";
import { type Arguments, repaired } from "../support/mechanical-repair.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";
import { FLAWED_CALLS } from "./flawed-calls.ts";

/** A field and its stop can be wrong one after the other; nothing needs more. */
const MOST_REPAIRS = 3;

const service = await aService(wholeFile, { limiter: aRateLimiter() });
const { client } = await anMcpClient(wholeFile, service.publicUrl, await service.token());

suite("from the text of an error alone the next call can be built, and it succeeds", () => {
  test("there are at least forty flawed calls, each of another kind", () => {
    assert.ok(FLAWED_CALLS.length >= 40);
    assert.equal(new Set(FLAWED_CALLS.map(({ flaw }) => flaw)).size, FLAWED_CALLS.length);
  });

  for (const { flaw, tool = "create_transfer_quote", args, code, sends = {}, traveler } of FLAWED_CALLS) {
    test(flaw, async () => {
      let next: Arguments = JSON.parse(JSON.stringify(args));
      let problem = await call(tool, next);
      assert.equal(problem?.code, code, JSON.stringify(problem));
      let asked = 0;
      for (let repairs = 0; problem && repairs < MOST_REPAIRS; repairs += 1) {
        const repair = repaired(next, problem);
        if (!repair) {
          assert.match(problem.next_action ?? "", /ask the traveler/i);
          asked += 1;
        }
        next = repair ?? { ...next, ...traveler?.(JSON.stringify(problem)) };
        problem = await call(tool, next);
      }
      assert.equal(problem, undefined, JSON.stringify(problem));
      assert.equal(asked, traveler ? 1 : 0, "the traveler is asked where only the traveler knows");
      for (const [field, value] of Object.entries(sends)) {
        if (!traveler) assert.deepEqual(next[field], value, field);
      }
    });
  }
});

/** The problem of a call, or `undefined` where it succeeds. */
async function call(name: string, args: Arguments): Promise<Problem | undefined> {
  const { isError, content } = await client.callTool({ name, arguments: { ...args } });
  const [, { text = "" } = {}] = content as { text?: string }[];
  return isError ? JSON.parse(text) : undefined;
}
