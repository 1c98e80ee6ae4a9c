import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { packageRoot } from "../../ops/package-root.ts";
import { CalendarError } from "./calendar-error.ts";
import type { CalendarAnswer, CalendarTask } from "./calendar-reader.ts";
import type { CalendarReading } from "./read-calendar.ts";

/** The sources run as they are; the build has the reader beside the program. */
const READER = import.meta.url.endsWith(".ts")
  ? new URL("calendar-reader.ts", import.meta.url)
  : join(packageRoot, "calendar-reader.js");

const MEMORY = "--max-old-space-size=512";

/** Fetches and reads a calendar in a process of its own. Throws CalendarError, or the reason of `signal`. */
export async function readBeside(task: CalendarTask, signal: AbortSignal): Promise<CalendarReading> {
  const execArgv = [...process.execArgv, MEMORY];
  const reader = fork(READER, { execArgv, serialization: "advanced", stdio: ["ignore", "ignore", "ignore", "ipc"] });
  try {
    const ended = once(reader, "exit", { signal }).then(() => {
      throw new CalendarError("the process that reads it has ended, perhaps for lack of memory");
    });
    ended.catch(() => {});
    reader.send(task);
    const [answer] = (await Promise.race([once(reader, "message", { signal }), ended])) as [CalendarAnswer];
    if ("reason" in answer) throw new CalendarError(answer.reason);
    return answer.reading;
  } finally {
    reader.kill("SIGKILL");
  }
}
