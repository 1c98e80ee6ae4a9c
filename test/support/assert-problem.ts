import assert from "node:assert/strict";
import type { ErrorCode } from "../../src/contract/errors.ts";
import { Problem } from "../../src/contract/problem.ts";
import type { ApiAnswer } from "./service.ts";

interface ExpectedProblem {
  readonly status: number;
  readonly code: ErrorCode;
  /** Exactly these fields have errors, in any order; absent: not checked. */
  readonly fields?: readonly string[];
  /** `null` where the request was rejected before its path was known. */
  readonly instance?: null;
}

/** Checks the rules of all failures over REST, and status, code and fields of this one. */
export function assertProblem(answer: ApiAnswer, { status, code, fields, instance }: ExpectedProblem): void {
  const { headers, body, text } = answer;
  assert.deepEqual([answer.status, body?.code], [status, code], text);
  assert.deepEqual(Problem.parse(body), body);
  assert.equal(body.status, status);
  assert.equal(headers.get("content-type"), "application/problem+json");
  assert.match(body.request_id, /^req_[\w-]{22}$/);
  assert.equal(headers.get("x-request-id"), body.request_id);
  const speaksOfFields = /named fields/.test(body.next_action);
  assert.ok(body.next_action && (!speaksOfFields || body.field_errors?.length > 0), text);
  if (instance === null) assert.equal(body.instance, null);
  else assert.match(body.instance, /^\/[^?]*$/);
  assert.equal(headers.get("retry-after"), code === "RATE_LIMITED" ? String(body.retry_after_seconds) : null);
  assertPlainHeaders(answer);
  assert.equal(headers.get("etag"), null);
  if (fields) {
    const named = (body.field_errors ?? []).map(({ field }: { field: string }) => field);
    assert.deepEqual([...new Set(named)].sort(), [...fields].sort(), text);
  }
}

/** Fails where a response has headers that no response may have. */
export function assertPlainHeaders({ headers }: ApiAnswer): void {
  for (const name of ["x-powered-by", "last-modified", "set-cookie", "server"]) {
    assert.equal(headers.get(name), null, name);
  }
  const rates = [...headers.keys()].filter((name) => /ratelimit/.test(name));
  assert.deepEqual(rates, []);
}
