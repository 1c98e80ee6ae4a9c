import { hash, randomBytes } from "node:crypto";

/** The id of one request, for logs and support. */
export function createRequestId(): string {
  return `req_${randomBytes(16).toString("base64url")}`;
}

/** SHA-256 of a text in UTF-8 or of bytes. */
export function sha256(data: string | Uint8Array, encoding: "hex" | "base64url"): string {
  return hash("sha256", data, encoding);
}
