import { IncomingMessage, type ServerResponse } from "node:http";
import { json, type Request, type Response, urlencoded } from "express";

const MAX_BODY_BYTES = 16 * 1024;
const parsers = [json({ limit: MAX_BODY_BYTES }), urlencoded({ limit: MAX_BODY_BYTES, extended: false })];

/** The fields of a JSON object or a form, or `undefined` where the body is neither, is broken or is over 16 KiB. */
export async function readFields(
  req: IncomingMessage,
  res: ServerResponse,
): Promise<URLSearchParams | undefined> {
  const request = req as Request;
  try {
    for (const parse of parsers) {
      await new Promise<void>((resolve, reject) => {
        parse(request, res as Response, (error) => (error ? reject(error) : resolve()));
      });
    }
  } catch {
    return undefined;
  }
  const body: unknown = request.body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    // A name that stands twice in a form arrives as a list; the OAuth server refuses it where it must.
    for (const item of [value].flat()) if (typeof item === "string") fields.append(name, item);
  }
  return fields;
}

/**
 * The request again, for `path` below `mount` and, where `form` is given, with it as the body. oidc-provider reads forms
 * only, takes its own address from `originalUrl`, and would warn about a body that something else has read.
 */
export function rewritten(req: IncomingMessage, mount: string, path: string, form?: string): IncomingMessage {
  const copy = new IncomingMessage(req.socket);
  const headers = { ...req.headers };
  if (form !== undefined) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    headers["content-length"] = String(Buffer.byteLength(form));
    delete headers["content-encoding"];
    delete headers["transfer-encoding"];
    copy.push(form);
  }
  copy.push(null);
  // Otherwise node takes the copy for a request that was cut off, and ends its connection.
  copy.complete = true;
  return Object.assign(copy, { method: req.method, headers, url: path, originalUrl: `${mount}${path}` });
}

/** An OAuth error where the server itself is not asked. */
export function refuse(res: ServerResponse, detail: string): void {
  res.writeHead(400, { "content-type": "application/json", "cache-control": "no-store" });
  res.end(JSON.stringify({ error: "invalid_request", error_description: detail }));
}

/** A request target in its two halves; not by `URL`, which takes `//host/path` for a host. */
export function splitTarget(target = "/"): { path: string; query: string } {
  const mark = target.indexOf("?");
  return mark < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
