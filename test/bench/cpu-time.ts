import { readdirSync, readFileSync } from "node:fs";

/** CPU milliseconds of a process's threads that still run, to the microsecond; without its children. */
export function cpuMsOfThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** The same with its children, such as the backends of PostgreSQL; those that have ended in ticks of 10 ms. */
export function cpuMsWithChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
  // The fields after the name in parentheses; cutime and cstime are the 14th and 15th of them.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ended = (Number(fields[13]) + Number(fields[14])) * 10;
  return [pid, ...children.map(Number)].reduce((sum, each) => sum + cpuMsIfRunning(each), ended);
}

function cpuMsIfRunning(pid: number): number {
  try {
    return cpuMsOfThreads(pid);
  } catch {
    return 0;
  }
}

export function memoryMbOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}
