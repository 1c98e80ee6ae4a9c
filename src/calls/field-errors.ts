import { z } from "zod/v3";
import { INVALID_DATETIME } from "../contract/date-time.ts";
import { type FieldError, invalidRequest, PublicError } from "../contract/errors.ts";
import { dateTimeMessage, exampleDateTime, exampleOf, type OperatorTime } from "./date-time-message.ts";
import { type Field, fieldAt, publishedSchemaOf } from "./field-at.ts";
import { MOST_FIELD_ERRORS, unknownFields } from "./unknown-fields.ts";
import { valueToSend } from "./value-to-send.ts";

const LONGEST_TEXT = 300;
const ASK = "Ask the traveler for what is missing or cannot be served, never invent it, and resend.";

/** Input that its schema refuses. */
interface RefusedInput {
  readonly error: z.ZodError;
  readonly input: unknown;
  readonly schema: z.ZodTypeAny;
}

/** What the caller is told about refused input: for each field what to send instead. */
export function refusalOf({ error, input, schema }: RefusedInput, time: () => OperatorTime): PublicError {
  const json = publishedSchemaOf(schema);
  const issues = error.issues.slice(0, MOST_FIELD_ERRORS);
  const renamed = new Set<string>();
  const unknown = issues.flatMap((issue) =>
    issue.code === z.ZodIssueCode.unrecognized_keys
      ? unknownFields(issue, fieldAt(json, input, issue.path), renamed)
      : [],
  );
  const known = issues
    .filter(({ code, path }) => code !== z.ZodIssueCode.unrecognized_keys && !renamed.has(path.join(".")))
    .map((issue) => fieldErrorOf(issue, fieldAt(json, input, issue.path), time));
  const asks = known.some(({ ask }) => ask);
  const fieldErrors = [...known.map(({ fieldError }) => fieldError), ...unknown]
    .slice(0, MOST_FIELD_ERRORS)
    .map(clipped);
  const refusal = invalidRequest(fieldErrors, asks ? ASK : undefined);
  if (!error.issues.every(isInvalidDateTime)) return refusal;
  const example = `with the UTC offset of ${time().timeZone}, e.g. ${exampleDateTime(time())}`;
  const nextAction = asks
    ? `Ask the traveler for a date and time that exist, and send them ${example}.`
    : `Resend each date-time as field_errors says, ${example}.`;
  return new PublicError("INVALID_DATETIME", refusal.message, { fieldErrors, nextAction });
}

/** As Zod would report it. */
export function missingField(name: string): z.ZodIssue {
  return { code: "invalid_type", path: [name], expected: "string", received: "undefined", message: "Required" };
}

function isInvalidDateTime(issue: z.ZodIssue): boolean {
  return issue.code === z.ZodIssueCode.custom && issue.params?.code === INVALID_DATETIME;
}

/** What is wrong with one field; `ask` where only the traveler knows what is right. */
function fieldErrorOf(
  issue: z.ZodIssue,
  field: Field,
  time: () => OperatorTime,
): { fieldError: FieldError; ask: boolean } {
  const { schema, value } = field;
  const told = (message: string, ask = false, candidates?: readonly string[]) => ({
    fieldError: { field: issue.path.join("."), message, ...(candidates && { candidates }) },
    ask: ask && !FROM_RESPONSES.test(String(issue.path.at(-1))),
  });
  const isDateTime = schema.format === "date-time";
  if (value === undefined || (value === null && field.isRequired)) {
    const how = isDateTime ? exampleOf(time()) : `${schema.description ?? "not sent"}.`;
    return told(`Required: ${how}`, true);
  }
  if (value === null) return told("null is not allowed; omit it.");
  const converted = JSON.stringify(valueToSend(schema, value));
  if (converted !== undefined && converted.length < LONGEST_TEXT / 2)
    return told(`Send ${converted}, not ${clip(JSON.stringify(value))}.`);
  if (isDateTime) {
    const reason = typeof value === "string" ? issue.message : "Not text";
    return told(dateTimeMessage(reason, value, time()), isInvalidDateTime(issue) && !/offset is missing/.test(reason));
  }
  if (Array.isArray(schema.enum)) return told(`Must be one of: ${schema.enum.join(", ")}.`, false, schema.enum);
  const limit = limitOf(issue);
  if (limit !== undefined) return told(`${limit}, not ${clip(JSON.stringify(value))}.`, true);
  if (issue.code !== z.ZodIssueCode.invalid_type) return told(`${issue.message}.`);
  const type = [schema.type].flat()[0] as keyof typeof TYPES;
  return told(`Must be ${TYPES[type]}: ${schema.description}.`, type === "integer" || type === "boolean");
}

/** Fields whose values come from earlier responses; a traveler knows none of them. */
const FROM_RESPONSES = /_id$|_key$|^sig$/;

const TYPES = {
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  string: "text",
  array: "a list",
  object: "an object",
};

function limitOf(issue: z.ZodIssue): string | undefined {
  if (issue.code !== z.ZodIssueCode.too_small && issue.code !== z.ZodIssueCode.too_big) return undefined;
  const [least, amount] =
    issue.code === z.ZodIssueCode.too_small ? ["at least", issue.minimum] : ["at most", issue.maximum];
  const unit = { string: " characters long", array: " items long" }[issue.type as string] ?? "";
  return `Must be ${issue.inclusive ? least : "more than"} ${amount}${unit}`;
}

/** Names and values of the caller's own are not sent back at any length. */
function clipped(fieldError: FieldError): FieldError {
  return { ...fieldError, field: clip(fieldError.field), message: clip(fieldError.message) };
}

function clip(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
