import type { RequestHandler } from "express";
import { PublicError } from "../../../contract/errors.ts";
import { isLoopback } from "../../../ops/loopback.ts";
import { pageHeaders } from "../../../ops/page-headers.ts";

const METADATA_PATHS = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const;
const REGISTRATION_PATH = "/register";

/**
 * Where the development issuer is served, to this machine only. Its metadata is at the address of RFC 8414 for an issuer
 * with a path, and where clients of MCP 2025-03-26 look for it.
 */
export function developmentMounts(issuer: string, handler: RequestHandler) {
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
    ...[pathname, REGISTRATION_PATH, ...documents].map((path) => ({ path, handler: requireLoopback })),
    ...documents.map((path) => ({ path, handler: serveAs(authorizationServer) })),
    // Clients that do not read the metadata register here.
    { path: REGISTRATION_PATH, handler: serveAs(REGISTRATION_PATH) },
    { path: pathname, handler: pageHeaders() },
    { path: pathname, handler },
  ];
}

/** Rejects a request that came through a tunnel or by DNS rebinding: its Host header is not this machine's own. */
const requireLoopback: RequestHandler = (request, _response, next) => {
  const url = `http://${request.headers.host}`;
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return next();
  const nextAction = "Send the request from the server's own machine, to localhost or a loopback address.";
  next(new PublicError("INVALID_REQUEST", "This is served to loopback hosts only.", { status: 403, nextAction }));
};
