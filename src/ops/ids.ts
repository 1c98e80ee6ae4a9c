import { createHash, randomBytes } from "node:crypto";

/** An opaque id, `<prefix>_` and 22 characters that carry 128 random bits. */
export function createId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString("base64url")}`;
}

/** SHA-256 of a text in UTF-8 or of bytes. */
export function sha256(data: string | Uint8Array, encoding: "hex" | "base64url"): string {
  return createHash("sha256").update(data).digest(encoding);
}
