import type { ServerResponse } from "node:http";

/**
 * Headers of everything that a browser shows: nothing runs, loads, frames or is framed unless `sources` allows it
 * ("style-src 'self'"), and no address goes to another site. Every response is `nosniff` anyway.
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
