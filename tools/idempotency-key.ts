import { z } from "zod/v3";

/** Argument of the tools that may be replayed; REST carries it as the `Idempotency-Key` header. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "Not 1 to 255 visible ASCII characters")
  .optional()
  .describe(
    "resend with the same key and arguments to get the same answer instead of a second one; kept 24 hours",
  );
