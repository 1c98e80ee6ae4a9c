import assert from "node:assert/strict";
import { test } from "node:test";
import {
  authenticationRequired,
  ERROR_CODES,
  invalidRequest,
  PublicError,
  quoteExpired,
  quoteNotFound,
  rateLimited,
  upstreamUnavailable,
} from "../../src/contract/errors.ts";
import { Problem, toProblem } from "../../src/contract/problem.ts";

const SITE = { docsBase: "https://docs.test/v1", requestId: "req_1", instance: "/api/public/v1/quotes" };

for (const code of ERROR_CODES) {
  test(`${code} renders as a problem of its own schema`, () => {
    const problem = toProblem(new PublicError(code, "Something."), SITE);
    assert.deepEqual(Problem.parse(problem), problem);
    assert.equal(problem.type, `https://docs.test/v1/errors/${code.toLowerCase()}`);
    assert.equal(problem.code, code);
    assert.equal(problem.detail, "Something.");
    assert.equal(problem.instance, SITE.instance);
    assert.equal(problem.request_id, "req_1");
    assert.ok(problem.title && problem.next_action);
    assert.equal("field_errors" in problem || "retry_after_seconds" in problem, false);
    if (problem.status === 422) assert.equal(problem.retryable, false);
  });
}

test("maps an unexpected error to UPSTREAM_UNAVAILABLE without its cause", () => {
  const secret = "postgres://admin:hunter2@db";
  const causes = [
    new Error(secret),
    new TypeError(secret),
    secret,
    { code: "FORBIDDEN", message: secret },
    null,
    undefined,
  ];
  for (const cause of causes) {
    const problem = toProblem(cause, SITE);
    assert.deepEqual(Problem.parse(problem), problem);
    assert.deepEqual([problem.code, problem.status, problem.retryable], ["UPSTREAM_UNAVAILABLE", 503, true]);
    assert.equal(JSON.stringify(problem).includes("hunter2"), false);
  }
});

test("does not show the cause of a public error", () => {
  const problem = toProblem(upstreamUnavailable("The router is unavailable.", new Error("hunter2")), SITE);
  assert.equal(problem.detail, "The router is unavailable.");
  assert.equal(JSON.stringify(problem).includes("hunter2"), false);
});

test("keeps the HTTP status of a failure before any operation", () => {
  const problem = toProblem(new PublicError("INVALID_REQUEST", "Too large.", { status: 413 }), SITE);
  assert.deepEqual([problem.status, problem.code], [413, "INVALID_REQUEST"]);
});

test("prefers an error's own next action to the general one", () => {
  const problem = toProblem(new PublicError("NO_ELIGIBLE_VEHICLE", "No.", { nextAction: "Take the coach." }), SITE);
  assert.equal(problem.next_action, "Take the coach.");
});

test("rounds the wait of an exceeded budget up to whole seconds, at least 1", () => {
  const waits = [0, 1, 999, 1000, 1001, 59_999].map((each) => toProblem(rateLimited("checkout", each), SITE));
  assert.deepEqual(
    waits.map((each) => each.retry_after_seconds),
    [1, 1, 1, 1, 2, 60],
  );
  for (const wait of waits) assert.deepEqual(Problem.parse(wait), wait);
});

test("puts the first field error and the count of the others into detail", () => {
  const fields = [
    { field: "origin", message: "Required." },
    { field: "waypoints.0.lat", message: "Too large." },
  ];
  const problem = toProblem(invalidRequest(fields), SITE);
  assert.equal(problem.detail, "origin: Required. (and 1 more in field_errors)");
  assert.deepEqual(problem.field_errors, fields);
});

test("has no instance over MCP", () => {
  assert.equal(toProblem(quoteNotFound(), { ...SITE, instance: null }).instance, null);
});

test("gives the common failures their codes", () => {
  const errors = [
    authenticationRequired(),
    quoteNotFound(),
    quoteExpired("2026-12-01T09:30:00.000Z"),
    upstreamUnavailable("x"),
  ];
  const codes = ["AUTHENTICATION_REQUIRED", "QUOTE_NOT_FOUND", "QUOTE_EXPIRED", "UPSTREAM_UNAVAILABLE"];
  assert.deepEqual(
    errors.map(({ code }) => code),
    codes,
  );
});

test("accepts no fields beyond those of a problem", () => {
  const problem = toProblem(quoteNotFound(), SITE);
  assert.equal(Problem.safeParse({ ...problem, stack: "at run" }).success, false);
  assert.equal(Problem.safeParse({ ...problem, code: "TEAPOT" }).success, false);
});
