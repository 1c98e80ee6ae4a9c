import { z } from "zod/v3";
import { type FieldError, invalidRequest, PublicError } from "../../contract/errors.ts";
import { type JsonSchema, jsonSchemaOf } from "../../contract/json-schema.ts";
import { type DateTimeFault, isDateTime, parseArguments } from "../../contract/request-fields.ts";
import { dateTimeMessage, exampleDateTime, exampleOf, joined, type OperatorTime } from "./date-time-message.ts";
import { nearestField } from "./nearest-field.ts";
import type { Operation, Services } from "./operation.ts";
import { shapeOf, valueToSend } from "./value-to-send.ts";

const MOST_FIELD_ERRORS = 50;
const LONGEST_TEXT = 300;
/** Longest value before a field's description, which a longer one would push out of the message. */
const LONGEST_VALUE = 60;
/** No request field nests lists and objects more deeply. */
const MOST_LEVELS = 5;
const ASK = "Ask the traveler for what is missing or cannot be served, never invent it, and resend.";

/** Cached, because converting a schema takes longer than the rest of the call. */
const jsonSchemas = new WeakMap<z.ZodTypeAny, JsonSchema>();

/** Input that failed its schema. */
interface RefusedInput {
  readonly issues: readonly z.ZodIssue[];
  readonly input: unknown;
  readonly schema: z.ZodTypeAny;
}

/** A field: its schema, what was sent, and whether it can be left out. */
interface Field {
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
}

/**
 * The arguments of an operation as its schema parses them. Throws INVALID_REQUEST or INVALID_DATETIME, with an error per
 * field.
 */
export function argumentsOf(
  { input: schema, alsoMissing, beyondLimits }: Pick<Operation, "input" | "alsoMissing" | "beyondLimits">,
  input: unknown,
  time: OperatorTime,
  catalog: Services["catalog"],
): unknown {
  const { data, issues } = parseArguments(schema, input);
  const all = [...issues, ...(alsoMissing?.(input) ?? []).flatMap(missingFields)];
  if (all.length === 0) return data;
  const exceeded = all.filter(({ code }) => code === z.ZodIssueCode.too_big).map(({ path }) => path.join("."));
  throw refusalOf({ issues: all, input, schema }, time, beyondLimits?.(exceeded, catalog));
}

/**
 * INVALID_REQUEST or INVALID_DATETIME for input that failed its schema; each field error says what to send instead, and
 * `advice` what the traveler can do.
 */
export function refusalOf(
  { issues: all, input, schema }: RefusedInput,
  time: OperatorTime,
  advice?: string,
): PublicError {
  const deep = Object.keys(Object(input)).filter((name) => hasMoreLevels(Object(input)[name], MOST_LEVELS));
  if (deep.length > 0) {
    const message = "Lists and objects are nested too deeply; send a value that fits the description of this field.";
    return invalidRequest(deep.slice(0, MOST_FIELD_ERRORS).map((field) => ({ field: clip(field), message })));
  }
  const json = jsonSchemas.get(schema) ?? jsonSchemaOf(schema);
  jsonSchemas.set(schema, json);
  const issues = all.slice(0, MOST_FIELD_ERRORS);
  const renamed = new Set<string>();
  const unknown: FieldError[] = [];
  for (const issue of issues)
    if (issue.code === z.ZodIssueCode.unrecognized_keys)
      unknown.push(...unknownFields(issue, fieldAt(json, input, issue.path), renamed, time));
  const known = issues
    .filter(({ code, path }) => code !== z.ZodIssueCode.unrecognized_keys && !renamed.has(path.join(".")))
    .map((issue) => fieldErrorOf(issue, fieldAt(json, input, issue.path), time));
  const asks = known.some(({ ask }) => ask);
  const fieldErrors = [...known.map(({ fieldError }) => fieldError), ...unknown]
    .slice(0, MOST_FIELD_ERRORS)
    .map((each) => ({ ...each, field: clip(each.field), message: clip(each.message) }));
  const refusal = invalidRequest(fieldErrors, asks ? [ASK, ...(advice ? [advice] : [])].join(" ") : undefined);
  if (!all.every(dateTimeFaultOf)) return refusal;
  const example = `with the UTC offset of ${time.timeZone}, e.g. ${exampleDateTime(time)}`;
  const nextAction = asks
    ? `Ask the traveler for the date and time, and send them ${example}.`
    : `Resend each date-time as described in field_errors, ${example}.`;
  return new PublicError("INVALID_DATETIME", refusal.message, { fieldErrors, nextAction });
}

/** The issues that Zod reports for missing fields, of which exactly one is to be sent. */
function missingFields(names: readonly string[]): readonly z.ZodIssue[] {
  const message = names.length > 1 ? `Send exactly one of ${names.join(" and ")}` : "Required";
  return names.map((name) => ({
    code: "invalid_type",
    path: [name],
    message,
    expected: "string",
    received: "undefined",
  }));
}

/** Whether lists and objects are nested more deeply. */
export function hasMoreLevels(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => hasMoreLevels(each, levels - 1));
}

function fieldAt(schema: JsonSchema, input: unknown, path: readonly (string | number)[]): Field {
  return path.reduce<Field>(
    ({ schema, value }, key) => {
      const { items, properties = {}, required = [] } = schema;
      return {
        schema: (typeof key === "number" ? items : properties[key]) ?? {},
        value: (value as Record<string | number, unknown> | undefined)?.[key],
        isRequired: typeof key === "number" || required.includes(key),
      };
    },
    { schema, value: input, isRequired: true },
  );
}

/** Errors for unknown names. Fields that they probably mean are added to `renamed` and not reported besides. */
function unknownFields(
  { keys, path }: z.ZodUnrecognizedKeysIssue,
  { schema, value }: Field,
  renamed: Set<string>,
  time: OperatorTime,
): readonly FieldError[] {
  const { properties = {} } = schema;
  const sent = value as Readonly<Record<string, unknown>>;
  const known = Object.keys(properties);
  const unsent = known.filter((name) => !Object.hasOwn(sent, name));
  const meaning = keys
    .slice(0, MOST_FIELD_ERRORS)
    .map((key) => ({ key, meant: nearestField(key, unsent) ?? nearestField(key, known) }));
  return meaning.map(({ key, meant }) => {
    const field = [...path, key].join(".");
    const others = meaning.filter((each) => each.meant === meant && each.key !== key).map((each) => each.key);
    const own = meant !== undefined && !unsent.includes(meant) ? [meant] : [];
    const isComplete = own.some((name) => isDateTime(String(sent[name])));
    const target = [...path, meant].join(".");
    const isPart = !isComplete && [...others, ...own].length > 0;
    if (isPart && meant !== undefined && properties[meant]?.format === "date-time") {
      renamed.add(target);
      const parts = [key, ...others, ...own].map((name) => sent[name]);
      const one = joined(parts, time);
      const value = one === undefined ? `; ${exampleOf(time)}` : `: ${one}.`;
      return { field, message: `Unknown field; send date and time as one ${meant}${value}` };
    }
    if (meant === undefined || own.length > 0 || renamed.has(target))
      return { field, message: "Unknown field; remove it." };
    renamed.add(target);
    return { field, message: `Unknown field; send it as ${meant}.` };
  });
}

function dateTimeFaultOf(issue: z.ZodIssue): DateTimeFault | undefined {
  return issue.code === z.ZodIssueCode.custom ? (issue.params as DateTimeFault | undefined) : undefined;
}

/** The error of one field; `ask` is true if only the traveler can supply the right value. */
function fieldErrorOf(issue: z.ZodIssue, { schema, value, isRequired }: Field, time: OperatorTime) {
  const result = (message: string, ask = false, candidates?: readonly string[]) => ({
    fieldError: { field: issue.path.join("."), message, ...(candidates && { candidates }) },
    ask: ask && !FROM_RESPONSES.includes(String(issue.path.at(-1))),
  });
  const isDateTime = schema.format === "date-time";
  if (value === undefined || (value === null && isRequired)) {
    const how = isDateTime ? exampleOf(time) : `${schema.description ?? "not sent"}.`;
    return result(`${value === undefined ? issue.message : "Required"}: ${how}`, true);
  }
  const converted = JSON.stringify(valueToSend(schema, value));
  if (converted !== undefined && converted.length < LONGEST_TEXT / 2)
    return result(`Send ${converted}, not ${shown(value)}.`);
  if (isDateTime) {
    const fault = dateTimeFaultOf(issue);
    const reason = typeof value === "string" ? issue.message : "Not text";
    const { message, isUnclear } = dateTimeMessage(reason, value, time);
    return result(message, isUnclear || fault?.lacksOffset === false);
  }
  if (Array.isArray(schema.enum)) return result(`Must be one of: ${schema.enum.join(", ")}.`, false, schema.enum);
  const limit = limitOf(issue);
  if (limit) return result(`${limit}, not ${Array.isArray(value) ? value.length : shown(value)}.`, true);
  if (issue.code !== z.ZodIssueCode.invalid_type) return result(`${issue.message}.`);
  const isShaped = schema.type === "array" || schema.type === "object";
  const meaning = isShaped ? "" : `: ${schema.description}`;
  const ask = schema.type === "integer" || schema.type === "boolean";
  return result(`Must be ${shapeOf(schema)}, not ${clip(shown(value), LONGEST_VALUE)}${meaning}.`, ask);
}

/** Fields whose values come from earlier responses, so that the traveler cannot supply them. */
const FROM_RESPONSES = ["quote_id", "fleet_id", "place_id", "route_key", "policy_key", "idempotency_key", "sig"];

function limitOf(issue: z.ZodIssue): string | undefined {
  if (issue.code !== z.ZodIssueCode.too_small && issue.code !== z.ZodIssueCode.too_big) return undefined;
  const [least, amount] =
    issue.code === z.ZodIssueCode.too_small ? ["at least", issue.minimum] : ["at most", issue.maximum];
  const unit = { string: " characters long", array: " items long" }[issue.type as string] ?? "";
  return `Must be ${least} ${amount}${unit}`;
}

/** A number such as 1e400 is Infinity, for which JSON has null. */
function shown(value: unknown): string {
  return clip(typeof value === "number" ? String(value) : JSON.stringify(value));
}

/** Limits how much of the caller's own text a message repeats. */
function clip(text: string, longest = LONGEST_TEXT): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
