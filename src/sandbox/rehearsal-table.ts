import { ERRORS, type ErrorCode } from "../contract/errors.ts";
import { dates, RETRY_SECONDS, type Rehearsal, rehearsals } from "./rehearsals.ts";

/** One row of the documentation; code words stand between backticks. */
export interface RehearsalRow {
  readonly send: string;
  readonly response: string;
  /** At the same call again, or at the checkout of the quote. */
  readonly next: string;
}

/** What provokes what, for people and agents. */
export const rehearsalTable: readonly RehearsalRow[] = [
  ...rehearsals.map(rowOf),
  ...dates.map(({ field, value, code }) => ({ send: `\`${field}\`: \`${value}\``, response: coded(code), next: "" })),
];

function rowOf({ name, code, refuses, isOnce, quote = "an open quote" }: Rehearsal): RehearsalRow {
  const send = `\`${name}\``;
  if (code === undefined) return { send, response: quote, next: "checkout succeeds" };
  const again = retryOf(code, isOnce);
  if (refuses === "journey") return { send, response: coded(code), next: again };
  return { send, response: quote, next: [`checkout: ${coded(code)}`, again].filter(Boolean).join("; ") };
}

function coded(code: ErrorCode): string {
  return `${ERRORS[code].status} \`${code}\``;
}

function retryOf(code: ErrorCode, isOnce = false): string {
  if (isOnce) return `the same request succeeds after ${RETRY_SECONDS} s`;
  return ERRORS[code].retryable ? "every time" : "";
}
