import { z } from "zod/v3";

/** Argument of the tools that support idempotent retries; REST takes it from the `Idempotency-Key` header. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "Not 1 to 255 visible ASCII characters without spaces; send a new key, such as a UUID")
  .optional()
  .describe("a retry with the same key and arguments returns the original response; keys are kept for 24 hours");
