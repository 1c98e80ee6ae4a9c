import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Fields } from "./mcp-client.ts";
import { isShed } from "./patient-fetch.ts";
import { parsed } from "./service.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Fields;
}

/** One HTTP request with exactly these headers: `fetch` adds others and cannot change `Host`. */
export async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): Promise<RawAnswer> {
  const length = method === "POST" ? { "Content-Length": String(Buffer.byteLength(body)) } : {};
  const sent = request(url, { method, headers: { ...length, ...headers }, agent: false });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (isShed(answer)) return send(url, method, headers, body);
  return { status: response.statusCode ?? 0, headers: response.headers, text: answer, body: parsed(answer) };
}
