import type { ServerResponse } from "node:http";

/**
 * Headers of pages: a page loads and runs only what `sources` allows ("style-src 'self'"), cannot be framed, and sends no
 * referrer to other sites.
 */
export function pageHeaders(sources: readonly string[] = []) {
  const rules = ["default-src 'none'", ...sources, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  const policy = rules.join("; ");
  return (_request: unknown, response: ServerResponse, next: () => void): void => {
    response.setHeader("Content-Security-Policy", policy);
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "no-referrer");
    next();
  };
}
