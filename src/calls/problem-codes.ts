import { ERROR_CODES, type ErrorCode } from "../contract/errors.ts";
import type { Operation } from "./operation.ts";

/** Codes with which the call pipeline itself can end a call of any operation. */
const ANY_CALL: readonly ErrorCode[] = ["INVALID_REQUEST", "FORBIDDEN", "RATE_LIMITED", "UPSTREAM_UNAVAILABLE"];

/** Every code with which a call of an operation can end, in the order of the error table. */
export function problemCodesOf({ access, errors }: Operation): readonly ErrorCode[] {
  const own = access.kind === "scope" ? [...errors, "AUTHENTICATION_REQUIRED"] : errors;
  return ERROR_CODES.filter((code) => ANY_CALL.includes(code) || own.includes(code));
}
