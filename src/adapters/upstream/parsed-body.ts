import type { z } from "zod/v3";
import { type PublicError, upstreamUnavailable } from "../../contract/errors.ts";
import type { UpstreamResponse } from "./upstream-http.ts";

/** The body of a response with HTTP status 200, as its schema parses it. Throws UPSTREAM_UNAVAILABLE for any other. */
export function parsedBody<S extends z.ZodTypeAny>(name: string, schema: S, response: UpstreamResponse): z.output<S> {
  const parsed = schema.safeParse(response.body);
  if (response.status === 200 && parsed.success) return parsed.data;
  throw unexpectedResponse(name, response);
}

/** The cause is logged, so it does not quote the response, which may contain names of places. */
export function unexpectedResponse(name: string, { status }: UpstreamResponse): PublicError {
  const cause = new Error(`The response has HTTP status ${status} and an unexpected body.`);
  return upstreamUnavailable(`The ${name} returned an unexpected response.`, cause);
}
