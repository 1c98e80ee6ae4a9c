import { z } from "zod/v3";

const REFUSED = Symbol("refused");
/** What the schema makes of a value, or `REFUSED`. */
type Accept = (value: unknown) => unknown;

/** Made once for each schema. */
const acceptors = new WeakMap<z.ZodTypeAny, Accept>();

/**
 * What `schema.parse` would return, or `undefined` where it would throw: then the schema itself says why. Zod describes
 * its way through a value in case it has to report an error: a quote's request took 2.5 times as long, a stored quote 5
 * times. A kind of schema that is not among these is left to Zod.
 */
export function accepted<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> | undefined {
  const accept = acceptors.get(schema) ?? acceptorOf(schema);
  acceptors.set(schema, accept);
  const result = accept(value);
  return result === REFUSED ? undefined : result;
}

/** `schema.parse`, its errors included. */
export function parsed<S extends z.ZodTypeAny>(schema: S, value: unknown): z.output<S> {
  return accepted(schema, value) ?? schema.parse(value);
}

function acceptorOf(schema: z.ZodTypeAny): Accept {
  if (schema instanceof z.ZodObject) return ofObject(schema) ?? ofZod(schema);
  if (schema instanceof z.ZodString) return ofText(schema) ?? ofZod(schema);
  if (schema instanceof z.ZodNumber) return ofNumber(schema) ?? ofZod(schema);
  if (schema instanceof z.ZodArray) return ofList(schema);
  if (schema instanceof z.ZodEffects) return ofRefined(schema) ?? ofZod(schema);
  if (schema instanceof z.ZodBoolean && !schema._def.coerce)
    return (value) => (typeof value === "boolean" ? value : REFUSED);
  if (schema instanceof z.ZodEnum) {
    const values = new Set<unknown>(schema.options);
    return (value) => (values.has(value) ? value : REFUSED);
  }
  if (schema instanceof z.ZodOptional) {
    const inner = acceptorOf(schema.unwrap());
    return (value) => (value === undefined ? undefined : inner(value));
  }
  if (schema instanceof z.ZodNullable) {
    const inner = acceptorOf(schema.unwrap());
    return (value) => (value === null ? null : inner(value));
  }
  if (schema instanceof z.ZodDefault) {
    const inner = acceptorOf(schema.removeDefault());
    return (value) => inner(value === undefined ? schema._def.defaultValue() : value);
  }
  if (schema instanceof z.ZodUnion) {
    const options = (schema.options as readonly z.ZodTypeAny[]).map(acceptorOf);
    return (value) => {
      for (const accept of options) {
        const result = accept(value);
        if (result !== REFUSED) return result;
      }
      return REFUSED;
    };
  }
  if (schema instanceof z.ZodRecord) return ofRecord(schema) ?? ofZod(schema);
  if (schema instanceof z.ZodReadonly) {
    const inner = acceptorOf(schema.unwrap());
    return (value) => Object.freeze(inner(value));
  }
  return schema instanceof z.ZodAny ? (value) => value : ofZod(schema);
}

function ofZod(schema: z.ZodTypeAny): Accept {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed.data : REFUSED;
  };
}

/** Fields in the order of the schema, those that were left out and have no default left out; then unknown ones if kept. */
function ofObject({ shape, _def }: z.AnyZodObject): Accept | undefined {
  const { unknownKeys, catchall } = _def;
  if (!(catchall instanceof z.ZodNever)) return undefined;
  const isStrict = unknownKeys === "strict";
  const keepsUnknown = unknownKeys === "passthrough";
  const fields = Object.keys(shape).map((name) => ({ name, accept: acceptorOf(shape[name]) }));
  const names = new Set(Object.keys(shape));
  return (value) => {
    if (!isPlainObject(value)) return REFUSED;
    if (isStrict) for (const name in value) if (!names.has(name)) return REFUSED;
    const result: Record<string, unknown> = {};
    for (const { name, accept } of fields) {
      const field = accept(value[name]);
      if (field === REFUSED) return REFUSED;
      if (field !== undefined || name in value) result[name] = field;
    }
    if (keepsUnknown) {
      for (const name in value) {
        if (!names.has(name) && name !== "__proto__" && value[name] !== undefined) result[name] = value[name];
      }
    }
    return result;
  };
}

function ofRecord({ keySchema, valueSchema }: z.ZodRecord): Accept | undefined {
  if (!(keySchema instanceof z.ZodString) || keySchema._def.checks.length > 0) return undefined;
  const accept = acceptorOf(valueSchema);
  return (value) => {
    if (!isPlainObject(value)) return REFUSED;
    const result: Record<string, unknown> = {};
    for (const name in value) {
      const field = accept(value[name]);
      if (field === REFUSED || name === "__proto__") return REFUSED;
      result[name] = field;
    }
    return result;
  };
}

/** Objects of JSON are; of anything else Zod decides. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function ofText({ _def }: z.ZodString): Accept | undefined {
  const passes: ((text: string) => boolean)[] = [];
  for (const check of _def.checks) {
    if (check.kind === "min") passes.push((text) => text.length >= check.value);
    else if (check.kind === "max") passes.push((text) => text.length <= check.value);
    else if (check.kind === "regex" && !check.regex.global && !check.regex.sticky)
      passes.push((text) => check.regex.test(text));
    else return undefined;
  }
  if (_def.coerce) return undefined;
  return (value) => (typeof value === "string" && passes.every((pass) => pass(value)) ? value : REFUSED);
}

function ofNumber({ _def }: z.ZodNumber): Accept | undefined {
  const passes: ((number: number) => boolean)[] = [];
  for (const check of _def.checks) {
    if (check.kind === "int") passes.push(Number.isInteger);
    else if (check.kind === "min" && check.inclusive) passes.push((number) => number >= check.value);
    else if (check.kind === "max" && check.inclusive) passes.push((number) => number <= check.value);
    else return undefined;
  }
  if (_def.coerce) return undefined;
  const isNumber = (value: unknown): value is number => typeof value === "number" && !Number.isNaN(value);
  return (value) => (isNumber(value) && passes.every((pass) => pass(value)) ? value : REFUSED);
}

function ofList({ element, _def }: z.ZodArray<z.ZodTypeAny>): Accept {
  const { minLength, maxLength, exactLength } = _def;
  const least = exactLength?.value ?? minLength?.value ?? 0;
  const most = exactLength?.value ?? maxLength?.value ?? Number.POSITIVE_INFINITY;
  const accept = acceptorOf(element);
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return REFUSED;
    const items = value.map(accept);
    return items.includes(REFUSED) ? REFUSED : items;
  };
}

function ofRefined({ _def }: z.ZodEffects<z.ZodTypeAny>): Accept | undefined {
  const { schema, effect } = _def;
  if (effect.type !== "refinement") return undefined;
  const inner = acceptorOf(schema);
  return (value) => {
    const inside = inner(value);
    if (inside === REFUSED) return REFUSED;
    let isRefused = false;
    const addIssue = () => {
      isRefused = true;
    };
    effect.refinement(inside, { addIssue, path: [] });
    return isRefused ? REFUSED : inside;
  };
}
