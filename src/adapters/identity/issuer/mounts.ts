import type { RequestHandler } from "express";
import { PublicError } from "../../../contract/errors.ts";
import { cachedFor } from "../../../ops/cached-for.ts";
import { isLoopback } from "../../../ops/loopback.ts";
import { pageHeaders } from "../../../ops/page-headers.ts";

const METADATA_PATHS = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const;
const REGISTRATION_PATH = "/register";

/**
 * Where the issuer that `load` creates at the first request is served, after `guard`, which rejects what must not reach
 * it. Its metadata is at the address of RFC 8414 for an issuer with a path, and where clients of MCP 2025-03-26 look for
 * it.
 */
export function issuerMounts(issuer: string, guard: RequestHandler, load: () => Promise<RequestHandler>) {
  const loaded = cachedFor(0, load);
  const handler: RequestHandler = async (...request) => (await loaded())(...request);
  const { pathname } = new URL(issuer);
  const [authorizationServer] = METADATA_PATHS;
  const documents = [...METADATA_PATHS.map((path) => `${path}${pathname}`), authorizationServer];
  const serveAs = (url: string): RequestHandler => {
    return (request, response, next) => {
      if (request.path !== "/") return next();
      request.url = url;
      return handler(request, response, next);
    };
  };
  return [
    ...[pathname, REGISTRATION_PATH, ...documents].map((path) => ({ path, handler: guard })),
    ...documents.map((path) => ({ path, handler: serveAs(authorizationServer) })),
    // Clients that do not read the metadata register here.
    { path: REGISTRATION_PATH, handler: serveAs(REGISTRATION_PATH) },
    { path: pathname, handler: pageHeaders() },
    { path: pathname, handler },
  ];
}

/** Rejects a request that came through a tunnel or by DNS rebinding: its Host header is not this machine's own. */
export const requireLoopback: RequestHandler = (request, _response, next) => {
  const url = `http://${request.headers.host}`;
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return next();
  const nextAction = "Send the request from the server's own machine, to localhost or a loopback address.";
  next(new PublicError("INVALID_REQUEST", "This is served to loopback hosts only.", { status: 403, nextAction }));
};

/**
 * Rejects a request that a trusted proxy does not say came over https, so that no secret, code or cookie is read or sent
 * in the clear. To the library the request has the issuer's own host, whatever the caller wrote.
 */
export function requireHttps(issuer: string): RequestHandler {
  const { host } = new URL(issuer);
  return (request, _response, next) => {
    const { headers } = request;
    if (request.secure) {
      Object.assign(headers, { host, "x-forwarded-proto": "https", "x-forwarded-host": host });
      return next();
    }
    const nextAction = `Use ${issuer}; the operator's proxy has to send X-Forwarded-Proto, and TRANSFER_TRUST_PROXY to name it.`;
    next(new PublicError("INVALID_REQUEST", "This is served over https only.", { status: 403, nextAction }));
  };
}
