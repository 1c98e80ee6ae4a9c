import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
  ErrorCode as SdkErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { canceledBy, ErrorCode, isMessage, isRequest } from "../../src/mcp/json-rpc.ts";
import { OLDER_REVISIONS } from "../../src/mcp/revision.ts";

/** Values of every kind that is or is not allowed in some field. */
const odd = fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 53, "", "a", [], [1], {}, { taskId: "t" }, { taskId: 1 });
const meta = fc.record(
  { progressToken: odd, "io.modelcontextprotocol/related-task": odd, x: odd },
  { requiredKeys: [] },
);
const params = fc.record(
  { _meta: fc.oneof(odd, meta), requestId: fc.oneof(fc.integer(), odd), name: odd },
  { requiredKeys: [] },
);
const error = fc.record({ code: odd, message: odd, data: odd, x: odd }, { requiredKeys: [] });
const field = {
  jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "2.0", "1.0"),
  id: fc.oneof(fc.integer(), fc.string(), odd),
  method: fc.oneof(fc.constantFrom("ping", "notifications/cancelled"), fc.string(), odd),
  params: fc.oneof(odd, params),
  result: fc.oneof(odd, params),
  error: fc.oneof(odd, error),
  x: odd,
};
const only = (...names: (keyof typeof field)[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, field[name]])), { requiredKeys: [] });
const message = fc.oneof(
  odd,
  only("jsonrpc", "id", "method", "params"),
  only("jsonrpc", "method", "params"),
  only("jsonrpc", "id", "result"),
  only("jsonrpc", "id", "error"),
  only("jsonrpc", "id", "method", "params", "result", "error", "x"),
);

test("messages are classified as the SDK's schemas do", () => {
  const seen = { valid: 0, requests: 0, canceled: 0 };
  fc.assert(
    fc.property(message, (json) => {
      const expected = JSONRPCMessageSchema.safeParse(json).success;
      assert.equal(isMessage(json), expected);
      if (!isMessage(json)) return;
      seen.valid += 1;
      assert.equal(isRequest(json), isJSONRPCRequest(json));
      if (isRequest(json)) seen.requests += 1;
      const canceled = CancelledNotificationSchema.safeParse(json).data?.params.requestId;
      if (!isRequest(json)) assert.equal(canceledBy(json), canceled);
      if (canceled !== undefined) seen.canceled += 1;
    }),
    { numRuns: 10_000, seed: 1 },
  );
  assert.ok(
    seen.requests > 100 && seen.canceled > 10 && seen.valid > seen.requests + seen.canceled,
    JSON.stringify(seen),
  );
});

test("revisions and error codes are the SDK's", () => {
  assert.deepEqual(OLDER_REVISIONS, SUPPORTED_PROTOCOL_VERSIONS);
  for (const [name, code] of Object.entries(ErrorCode)) assert.equal(Reflect.get(SdkErrorCode, name), code);
});
