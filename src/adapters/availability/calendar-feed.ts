import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Availability } from "../../domain/quotes/availability.ts";
import { rangeOfAll } from "../../domain/quotes/eligibility.ts";
import type { Clock } from "../../ops/clock.ts";
import { DAY, MINUTE } from "../../ops/durations.ts";
import { createLatch, type Log } from "../../ops/log.ts";
import { packageRoot } from "../../ops/package-root.ts";
import type { CalendarAnswer, CalendarTask } from "./calendar-reader.ts";
import type { CalendarReading } from "./read-calendar.ts";

/** The sources run as they are; the build has the reader beside the program. */
const READER = import.meta.url.endsWith(".ts")
  ? new URL("calendar-reader.ts", import.meta.url)
  : join(packageRoot, "calendar-reader.js");

const MEMORY = "--max-old-space-size=512";

export interface CalendarFeedOptions {
  /** An https, file or loopback http URL. It may be secret, and is never shown. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds from the end of one reading to the next. Default: 3 minutes. */
  readonly everyMs?: number;
  /** Time limits of the transfer and of the reading, in milliseconds. */
  readonly limits?: { readonly transferMs: number; readonly readMs: number };
}

/** The catalog that a calendar is read for. */
type CalendarCatalog = Pick<Catalog, "vehicleClasses" | "tariff" | "bookingWindows">;

/**
 * The calendar of the vehicles that are taken, which is read again every few minutes. One that cannot be read leaves what
 * was read before; nothing else of it is kept, and nothing on a disk.
 */
export function createCalendarFeed({ url, clock, log, everyMs = 3 * MINUTE, limits = LIMITS }: CalendarFeedOptions) {
  const closing = new AbortController();
  const latch = createLatch(log, "warn", "The calendar cannot be read.", "The calendar can be read again.");
  let last: { readonly reading: CalendarReading; readonly at: number } | undefined;
  let failure: string | undefined = "it has not been read yet";
  let catalog: CalendarCatalog | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();

  const availability: Availability = {
    taken: (maxAgeMinutes) => (ageMs() <= maxAgeMinutes * MINUTE ? last?.reading.taken : undefined),
  };
  return {
    ...availability,
    /** Reads for this catalog from now on, at once and every few minutes. Resolves after the first reading; never rejects. */
    useFor(next: CalendarCatalog): Promise<void> {
      catalog = next;
      // A reading that has begun is for the catalog before.
      reading = reading.then(readNext);
      return reading;
    },
    /** The last reading; `undefined` before the first. */
    reading: () => last?.reading,
    /** Rejects with the reason where the last reading failed. */
    async ping(): Promise<void> {
      if (failure !== undefined) throw new Error(failure);
    },
    /** Seconds since the calendar was read; infinite before. */
    ageSeconds: () => ageMs() / 1000,
    async close(): Promise<void> {
      closing.abort();
      clearTimeout(timer);
      await reading;
    },
  };

  /** Infinite if the clock was set back to before the last reading. */
  function ageMs(): number {
    const age = clock.now().getTime() - (last?.at ?? Number.POSITIVE_INFINITY);
    return age < 0 ? Number.POSITIVE_INFINITY : age;
  }

  async function readNext(): Promise<void> {
    clearTimeout(timer);
    if (!catalog || closing.signal.aborted) return;
    await readFor(catalog).then(worked, failed);
    if (closing.signal.aborted) return;
    timer = setTimeout(() => {
      reading = reading.then(readNext);
    }, everyMs);
    timer.unref();
  }

  async function readFor(catalog: CalendarCatalog) {
    const { vehicleClasses, tariff } = catalog;
    const now = clock.now();
    const at = now.getTime();
    // Journeys that begin at the horizon are included, and so is what a journey occupies before and after.
    const within = { from: at - 2 * DAY, to: rangeOfAll(catalog, now).latest.getTime() + 7 * DAY };
    const classes = vehicleClasses.map(({ id, vehicles }) => ({ id, vehicles }));
    const question = { classes, timeZone: tariff.timeZone, within };
    return { at, reading: await readBeside({ url, question, ...limits }, closing.signal) };
  }

  function worked(read: NonNullable<typeof last>): void {
    const { unreadable } = read.reading;
    if (unreadable > 0 && unreadable !== last?.reading.unreadable)
      log.warn({ unreadable }, "events of the calendar cannot be read and take no vehicle");
    last = read;
    failure = undefined;
    latch.worked();
  }

  function failed(error: unknown): void {
    failure = error instanceof Error ? error.message : String(error);
    if (!closing.signal.aborted) latch.failed({ reason: failure });
  }
}

const LIMITS = { transferMs: 10_000, readMs: 20_000 };

/** Fetches and reads a calendar in a process of its own. Rejects with why there is no reading, or with the reason of `signal`. */
async function readBeside(task: CalendarTask, signal: AbortSignal): Promise<CalendarReading> {
  const execArgv = [...process.execArgv, MEMORY];
  const reader = fork(READER, { execArgv, serialization: "advanced", stdio: ["ignore", "ignore", "ignore", "ipc"] });
  try {
    const ended = once(reader, "exit", { signal }).then(() => {
      throw new Error("the process that reads it has ended, perhaps for lack of memory");
    });
    ended.catch(() => {});
    reader.send(task);
    const [answer] = (await Promise.race([once(reader, "message", { signal }), ended])) as [CalendarAnswer];
    if ("reason" in answer) throw new Error(answer.reason);
    return answer.reading;
  } finally {
    reader.kill("SIGKILL");
  }
}
