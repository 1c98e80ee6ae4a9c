import { ERRORS, type ErrorCode } from "../src/contract/errors.ts";
import { problemCodesOf } from "../src/service/calls/operation.ts";
import type { RestOperation } from "./operations.ts";
import { bodySchemaOf, parametersOf } from "./parameters.ts";

/** The problem codes that an operation can return, by HTTP status in ascending order. */
export function problemsOf(row: RestOperation): ReadonlyMap<number, readonly ErrorCode[]> {
  const parameters = parametersOf(row);
  const hasBody = bodySchemaOf(row) !== undefined;
  const codes = problemCodesOf(row.tool)
    // An operation without parameters and body has nothing that could be invalid.
    .filter((code) => code !== "INVALID_REQUEST" || hasBody || parameters.length > 0)
    .map((code) => [ERRORS[code].status, code] as const);
  // Unreadable requests have a status of their own: broken encoding or length 400, too large 413, not JSON 415.
  const isEncoded = hasBody || parameters.some((parameter) => parameter.in === "path");
  const unreadable = [...(isEncoded ? [400] : []), ...(hasBody ? [413, 415] : [])].map(
    (status) => [status, "INVALID_REQUEST"] as const,
  );
  const byStatus = new Map<number, ErrorCode[]>();
  for (const [status, code] of [...codes, ...unreadable].sort(([a], [b]) => a - b)) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
