import { z } from "zod/v3";
import { ERROR_CODES, ERRORS, type FieldError, PublicError, upstreamUnavailable } from "./errors.ts";

/** Error body (RFC 7807): `application/problem+json` over REST, the second text of a failed tool call over MCP. */
export const Problem = z.strictObject({
  type: z.string().describe("documentation address of the code; stable per code"),
  title: z.string().describe("short summary"),
  status: z.number().int().describe("HTTP status repeated"),
  code: z.enum(ERROR_CODES).describe("stable machine code; branch on this"),
  detail: z.string().describe("prose; may be reworded, never parse it"),
  retryable: z.boolean().describe("whether the identical request may succeed on retry"),
  field_errors: z
    .array(
      z.strictObject({
        field: z.string().describe("dotted path"),
        message: z.string().describe("what is wrong, then what to send"),
        candidates: z.array(z.string()).optional().describe("values that are accepted when sent back unchanged"),
      }),
    )
    .optional()
    .describe("present for validation failures"),
  instance: z.string().nullable().optional().describe("path of the failed request"),
  next_action: z.string().nullable().optional().describe("short remediation"),
  request_id: z.string().nullable().optional().describe("quote it to support"),
  expired_offer: z
    .record(z.unknown())
    .optional()
    .describe(
      "only for an expired checkout link, for an hour: its request with places reduced to towns, price and operator",
    ),
  retry_after_seconds: z.number().int().nullable().optional().describe("only on RATE_LIMITED; mirrors Retry-After"),
});
export type Problem = z.infer<typeof Problem>;

/** The failed request. */
export interface ProblemSite {
  /** Address under which the codes are documented, without a trailing slash. */
  readonly docsBase: string;
  readonly requestId: string;
  /** REST path, or `null` over MCP. */
  readonly instance: string | null;
}

/** Renders a failure. Any error other than a `PublicError` becomes UPSTREAM_UNAVAILABLE without its message. */
export function toProblem(error: unknown, site: ProblemSite): Problem {
  const known =
    error instanceof PublicError
      ? error
      : upstreamUnavailable("The request could not be completed because of an internal error.");
  const { code, options } = known;
  const entry = ERRORS[code];
  return {
    type: `${site.docsBase}/errors/${code.toLowerCase()}`,
    title: entry.title,
    status: options.status ?? entry.status,
    code,
    detail: known.message,
    retryable: entry.retryable,
    ...(options.fieldErrors && { field_errors: options.fieldErrors.map(wireFieldError) }),
    instance: site.instance,
    next_action: options.nextAction ?? entry.nextAction,
    request_id: site.requestId,
    ...(options.expiredOffer && { expired_offer: options.expiredOffer }),
    ...(code === "RATE_LIMITED" &&
      options.retryAfterSeconds !== undefined && { retry_after_seconds: options.retryAfterSeconds }),
  };
}

function wireFieldError({ candidates, ...error }: FieldError) {
  return { ...error, ...(candidates && candidates.length > 0 && { candidates: [...candidates] }) };
}
