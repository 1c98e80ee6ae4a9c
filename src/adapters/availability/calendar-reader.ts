import { createReadStream } from "node:fs";
import { runInNewContext } from "node:vm";
import { basicAuthorization, createAgent, faultOf, USER_AGENT } from "../upstream/upstream-http.ts";
import { CalendarError, type CalendarQuestion, type CalendarReading, readCalendar } from "./read-calendar.ts";

/** What the process is sent. */
export interface CalendarTask {
  readonly url: string;
  readonly question: CalendarQuestion;
  /** Time limits of the transfer and of the reading. */
  readonly transferMs: number;
  readonly readMs: number;
}

/** What the process answers: a reading, or why there is none. */
export type CalendarAnswer = { readonly reading: CalendarReading } | { readonly reason: string };

/**
 * A process beside the server fetches and reads a calendar: that takes seconds for a large one, a malicious one may not
 * end, and its texts stay out of the server's memory.
 */
if (process.send) process.once("message", async (task: CalendarTask) => process.send?.(await answer(task), end));

function end(): void {
  process.exit();
}

async function answer({ url, question, transferMs, readMs }: CalendarTask): Promise<CalendarAnswer> {
  try {
    const text = await calendarAt(url, AbortSignal.timeout(transferMs));
    // Only a script can be ended that does not return.
    return { reading: runInNewContext("read()", { read: () => readCalendar(text, question) }, { timeout: readMs }) };
  } catch (error) {
    return { reason: reasonOf(error) };
  }

  /** Messages of other errors may quote the calendar. */
  function reasonOf(error: unknown): string {
    if (error instanceof CalendarError) return error.message;
    const { name, code } = error as { name?: string; code?: string };
    if (name === "TimeoutError") return `no response within ${transferMs / 1000} s`;
    return code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
      ? `it takes more than ${readMs / 1000} s to read`
      : "it cannot be read";
  }
}

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
