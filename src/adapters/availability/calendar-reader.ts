import { runInNewContext } from "node:vm";
import { CalendarError } from "./calendar-error.ts";
import { calendarAt } from "./calendar-source.ts";
import { type CalendarQuestion, type CalendarReading, readCalendar } from "./read-calendar.ts";

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
