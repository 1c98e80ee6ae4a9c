import type { Request } from "express";
import { invalidRequest } from "../src/contract/errors.ts";
import type { ArgumentsFrom } from "./rest-operation.ts";

/** The named query parameters; others are ignored, as links collect them. */
export function query(...names: readonly string[]): ArgumentsFrom {
  return (request) => picked(request.query, names);
}

export function path(...names: readonly string[]): ArgumentsFrom {
  return (request) => picked(request.params, names);
}

export const nothing: ArgumentsFrom = () => ({});

export const body: ArgumentsFrom = (request) => request.body;

/** The body, with the key from its header: in a REST body the key is an unknown field. */
export const bodyWithIdempotencyKey: ArgumentsFrom = (request) => {
  const fields: object = request.body;
  if (bringsKeyInBody(request)) {
    const message = "Unknown field; over REST the key is the Idempotency-Key header.";
    throw invalidRequest([{ field: "idempotency_key", message }]);
  }
  const key = request.get("Idempotency-Key");
  return key === undefined ? fields : { ...fields, idempotency_key: key };
};

export function bringsKeyInBody({ body: fields }: Pick<Request, "body">): boolean {
  return typeof fields === "object" && fields !== null && Object.hasOwn(fields, "idempotency_key");
}

/** A continuation link: everything in it is text, the vehicle is meant as an integer. */
export const continuationLink: ArgumentsFrom = (request) => {
  const { quote_id } = request.params;
  const { fleet_id, sig } = request.query;
  const isInteger = typeof fleet_id === "string" && /^\d{1,9}$/.test(fleet_id);
  return picked({ quote_id, fleet_id: isInteger ? Number(fleet_id) : fleet_id, sig }, [
    "quote_id",
    "fleet_id",
    "sig",
  ]);
};

function picked(source: object, names: readonly string[]): Record<string, unknown> {
  const values = source as Record<string, unknown>;
  return Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  );
}
