import { z } from "zod/v3";
import { INVALID_DATETIME } from "../contract/date-time.ts";
import { type FieldError, invalidRequest, PublicError } from "../contract/errors.ts";

const MOST_FIELD_ERRORS = 50;
const LONGEST_TEXT = 300;

/** What the caller is told about input that its schema refuses. */
export function refusalOf(error: z.ZodError): PublicError {
  const fieldErrors = error.issues.flatMap(fieldErrorsOf).slice(0, MOST_FIELD_ERRORS).map(clipped);
  const first = fieldErrors[0];
  if (!first || !error.issues.every(isInvalidDateTime)) return invalidRequest(fieldErrors);
  return new PublicError("INVALID_DATETIME", `${first.field}: ${first.message}`, {
    fieldErrors,
    nextAction: `Resend ${first.field} as an RFC 3339 date-time with the UTC offset of Europe/Zurich, e.g. 2027-01-15T14:30:00+01:00.`,
  });
}

function isInvalidDateTime(issue: z.ZodIssue): boolean {
  return issue.code === z.ZodIssueCode.custom && issue.params?.code === INVALID_DATETIME;
}

function fieldErrorsOf(issue: z.ZodIssue): FieldError[] {
  const path = issue.path.join(".");
  if (issue.code === z.ZodIssueCode.unrecognized_keys) {
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join("."),
      message: "Unknown field; remove it.",
    }));
  }
  if (issue.code === z.ZodIssueCode.invalid_type && issue.received === "undefined" && path !== "") {
    return [{ field: path, message: "Required." }];
  }
  return [{ field: path, message: `${issue.message}.`.replace(/\.\.$/, ".") }];
}

/** Names and values of the caller's own are not sent back at any length. */
function clipped({ field, message }: FieldError): FieldError {
  return { field: clip(field), message: clip(message) };
}

function clip(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
