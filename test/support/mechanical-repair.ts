import type { Problem } from "../../src/contract/problem.ts";
import type { Fields } from "./mcp-client.ts";

export type Arguments = Readonly<Record<string, unknown>>;

type Path = readonly string[];

const DATE_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})/;

/**
 * The arguments that an error asks for, found by patterns only, without a model or knowledge of the tools. `undefined`
 * where the error asks for the traveler, the operator or a pause. `lastAnswer` is that of the last call that succeeded.
 */
export function repaired(args: Arguments, problem: Problem, lastAnswer?: Fields): Arguments | undefined {
  if (/ask the traveler/i.test(problem.next_action ?? "")) return undefined;
  const next = structuredClone(args) as Record<string, unknown>;
  // Backwards, so that removing an item does not change the positions of those that follow.
  for (const { field, message, candidates } of [...(problem.field_errors ?? [])].reverse())
    repairField(next, field.split("."), message, candidates);
  const named = /send the ([a-z_]+)/i.exec(problem.next_action ?? "")?.[1];
  if (named && lastAnswer?.[named] !== undefined) next[named] = lastAnswer[named];
  return JSON.stringify(next) === JSON.stringify(args) ? undefined : next;
}

function repairField(args: Record<string, unknown>, path: Path, message: string, candidates?: readonly string[]): void {
  const siblings = /omit (\w+) and (\w+)/i.exec(message);
  const renamed = /send it as ([a-z_]+)/i.exec(message)?.[1];
  const [, whole, dateTime] = /send date and time as one ([a-z_]+): (\S+[+-]\d{2}:\d{2})/.exec(message) ?? [];
  if (siblings) for (const name of siblings.slice(1)) remove(args, [...path.slice(0, -1), name]);
  else if (whole) {
    remove(args, path);
    set(args, [...path.slice(0, -1), whole], dateTime);
  } else if (candidates?.[0] !== undefined) set(args, path, asWritten(candidates[0], at(args, path)));
  else if (renamed) {
    set(args, [...path.slice(0, -1), renamed], at(args, path));
    remove(args, path);
  } else if (/\b(omit|remove) it\b/i.test(message)) remove(args, path);
  else if (/a new key/.test(message)) set(args, path, crypto.randomUUID());
  else {
    const value = valueIn(message);
    if (value !== undefined) set(args, path, value);
  }
}

/** A candidate, which is text, as a number where a number was sent. */
function asWritten(candidate: string, sent: unknown): unknown {
  return typeof sent === "number" ? Number(candidate) : candidate;
}

/** The JSON value or the date-time that follows "send" or "such as". */
function valueIn(message: string): unknown {
  const [, after = ""] = /\b(?:send|such as) (.*)$/is.exec(message) ?? [];
  const dateTime = DATE_TIME.exec(after);
  if (dateTime?.index === 0) return dateTime[0];
  for (let end = after.length; end > 0; end -= 1) {
    try {
      return JSON.parse(after.slice(0, end));
    } catch {}
  }
  return dateTime?.[0];
}

function holder(args: Record<string, unknown>, path: Path): Record<string, unknown> | undefined {
  return path.slice(0, -1).reduce<Fields>((value, key) => value?.[key], args);
}

function at(args: Record<string, unknown>, path: Path): unknown {
  return holder(args, path)?.[path.at(-1) ?? ""];
}

function set(args: Record<string, unknown>, path: Path, value: unknown): void {
  const parent = holder(args, path);
  if (parent) parent[path.at(-1) ?? ""] = value;
}

function remove(args: Record<string, unknown>, path: Path): void {
  const parent = holder(args, path);
  if (parent) delete parent[path.at(-1) ?? ""];
}
