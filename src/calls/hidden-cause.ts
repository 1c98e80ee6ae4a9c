import { PublicError } from "../contract/errors.ts";

/** What a problem does not reveal: the cause of a public error, or the error itself where it is none. */
export function hiddenCauseOf(error: unknown): unknown {
  return error instanceof PublicError ? error.cause : (error ?? new Error("thrown without a reason"));
}
