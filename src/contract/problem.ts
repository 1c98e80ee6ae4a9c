import { z } from "zod/v3";
import { ERROR_CATALOGUE, ERROR_CODES, PublicError, upstreamUnavailable } from "./errors.ts";

/** Error body of both surfaces (RFC 7807): `application/problem+json` on REST, the text of a failed tool call on MCP. */
export const Problem = z
  .object({
    type: z.string().describe("documentation address of the code; stable per code"),
    title: z.string().describe("short summary"),
    status: z.number().int().describe("HTTP status repeated"),
    code: z.enum(ERROR_CODES).describe("stable machine code; branch on this"),
    detail: z.string().describe("prose; may be reworded, never parse it"),
    retryable: z.boolean().describe("whether the identical request may succeed on retry"),
    field_errors: z
      .array(z.object({ field: z.string(), message: z.string() }).strict())
      .optional()
      .describe("present for validation failures; field is a dotted path"),
    instance: z.string().nullable().optional().describe("path of the failed request"),
    next_action: z.string().nullable().optional().describe("short remediation"),
    request_id: z.string().nullable().optional().describe("quote it to support"),
    retry_after_seconds: z
      .number()
      .int()
      .nullable()
      .optional()
      .describe("only on RATE_LIMITED; mirrors Retry-After"),
  })
  .strict();
export type Problem = z.infer<typeof Problem>;

/** Where and for whom a problem is written. */
export interface ProblemSite {
  /** Address under which the codes are documented, without a trailing slash. */
  readonly docsBase: string;
  readonly requestId: string;
  /** REST path, or `null` over MCP. */
  readonly instance: string | null;
}

/** Renders a failure. Whatever is no `PublicError` becomes UPSTREAM_UNAVAILABLE with nothing of the cause in it. */
export function toProblem(error: unknown, site: ProblemSite): Problem {
  const known =
    error instanceof PublicError
      ? error
      : upstreamUnavailable("The request could not be completed because of a fault on the server's side.");
  const { code, options } = known;
  const entry = ERROR_CATALOGUE[code];
  return {
    type: `${site.docsBase}/errors/${code.toLowerCase()}`,
    title: entry.title,
    status: options.status ?? entry.status,
    code,
    detail: known.message,
    retryable: entry.retryable,
    ...(options.fieldErrors && { field_errors: options.fieldErrors.map((each) => ({ ...each })) }),
    instance: site.instance,
    next_action: options.nextAction ?? entry.nextAction,
    request_id: site.requestId,
    ...(options.retryAfterSeconds !== undefined && { retry_after_seconds: options.retryAfterSeconds }),
  };
}
