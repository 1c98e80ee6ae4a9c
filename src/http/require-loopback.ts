import type { NextFunction, Request, Response } from "express";
import { PublicError } from "../contract/errors.ts";
import { isLoopback } from "../ops/loopback.ts";

/** Rejects a request that came through a tunnel or by DNS rebinding: its Host header is not this machine's own. */
export function requireLoopback(request: Request, _response: Response, next: NextFunction): void {
  const url = `http://${request.headers.host}`;
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return next();
  const nextAction = "Send the request from the server's own machine, to localhost or a loopback address.";
  next(new PublicError("INVALID_REQUEST", "This is served to loopback hosts only.", { status: 403, nextAction }));
}
