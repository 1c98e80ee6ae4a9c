import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used since it began, with all it has started. Linux only. */
export function cpuSecondsOf(pid: number): number {
  const statistics = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statisticsOf(Number(name)));
  return statistics.filter((each) => each.pid === pid || each.parent === pid).reduce((sum, { used }) => sum + used, 0);
}

/** Empty where the process has ended meanwhile. */
function statisticsOf(
  pid: number,
): readonly { readonly pid: number; readonly parent: number; readonly used: number }[] {
  try {
    // The name in parentheses may hold anything; what follows it is numbers.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const [, parent = 0] = fields;
    // Fields 14 to 17 of proc(5): its own time in user and system mode, and that of children it has waited for.
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return [{ pid, parent, used: ticks / TICKS_PER_SECOND }];
  } catch {
    return [];
  }
}

/** CPU milliseconds of a process's threads that still run, to the microsecond; without its children. */
export function cpuMsOfThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

export function memoryMbOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}
