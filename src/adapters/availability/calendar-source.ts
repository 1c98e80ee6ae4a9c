import { createReadStream } from "node:fs";
import { basicAuthorization, createAgent, faultOf, USER_AGENT } from "../upstream/upstream-http.ts";
import { CalendarError } from "./calendar-error.ts";

const CONNECT_MS = 2_000;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The text at an https, http or file URL. Rejects with CalendarError, whose message has nothing of the address, or with
 * the reason of `signal`.
 */
export async function calendarAt(address: string, signal: AbortSignal): Promise<string> {
  const url = new URL(address);
  return url.protocol === "file:" ? fromFile(url, signal) : overHttp(url, signal);
}

async function overHttp({ origin, pathname, search, username, password }: URL, signal: AbortSignal): Promise<string> {
  const agent = createAgent(CONNECT_MS, MOST_BYTES);
  const headers = {
    accept: "text/calendar",
    "user-agent": USER_AGENT,
    ...((username || password) && { authorization: basicAuthorization(username, password) }),
  };
  try {
    const response = await agent.request({ origin, path: `${pathname}${search}`, method: "GET", headers, signal });
    // Redirects are not followed: the operator's setting decides where the calendar is.
    if (response.statusCode !== 200) throw new CalendarError(`HTTP status ${response.statusCode}`);
    return await response.body.text();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof CalendarError ? error : new CalendarError(faultOf(error).message);
  } finally {
    await agent.destroy();
  }
}

async function fromFile(url: URL, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(url, { signal, end: MOST_BYTES })) {
      chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new CalendarError(`the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (bytes > MOST_BYTES) throw new CalendarError(`the file has more than ${MOST_BYTES} bytes`);
  return Buffer.concat(chunks).toString("utf8");
}
