import type { Period, Sales } from "../stores/sales.ts";

const FIRST_MILLISECONDS = 500;
const EVERY_MILLISECONDS = 200;
const CLEAR_LINE = "\r\u001b[K";

/** Passes the events on unchanged. On a terminal stderr shows how many have been read, if reading takes a while. */
export function withProgress({ events }: Pick<Sales, "events">): Pick<Sales, "events"> {
  return process.stderr.isTTY ? { events: (period) => shown(events, period) } : { events };
}

async function* shown(events: Sales["events"], period: Period): ReturnType<Sales["events"]> {
  const { since, until } = period;
  let next = performance.now() + FIRST_MILLISECONDS;
  let count = 0;
  try {
    for await (const batch of events(period)) {
      count += batch.length;
      const last = batch.at(-1);
      if (last && performance.now() > next) {
        next = performance.now() + EVERY_MILLISECONDS;
        const share = (Date.parse(last.at) - since.getTime()) / (until.getTime() - since.getTime());
        process.stderr.write(`${CLEAR_LINE}${count} events read, ${Math.floor(share * 100)} %`);
      }
      yield batch;
    }
  } finally {
    if (count > 0) process.stderr.write(CLEAR_LINE);
  }
}
