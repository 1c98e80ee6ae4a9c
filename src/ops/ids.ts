import { randomBytes } from "node:crypto";

/** An opaque id, `<prefix>_` and 22 characters that carry 128 random bits. */
export function createId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString("base64url")}`;
}
