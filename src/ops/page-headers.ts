import type { ServerResponse } from "node:http";

/**
 * Headers of pages: a page loads and runs only what `sources` allows ("style-src 'self'"), cannot be framed, and sends no
 * referrer to other sites. Its forms lead to `formTargets` alone, by default nowhere.
 */
export function pageHeaders(sources: readonly string[] = [], formTargets = "'none'") {
  const forms = `form-action ${formTargets}`;
  const rules = ["default-src 'none'", ...sources, "base-uri 'none'", forms, "frame-ancestors 'none'"];
  const policy = rules.join("; ");
  return (_request: unknown, response: ServerResponse, next: () => void): void => {
    response.setHeader("Content-Security-Policy", policy);
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "no-referrer");
    next();
  };
}
