import { readdirSync, readFileSync } from "node:fs";

/** CPU milliseconds of a process's threads that still run, to the microsecond; without its children. */
export function cpuMsOfThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** The same with its children that still run, as the backends of PostgreSQL. */
export function cpuMsWithChildren(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return [pid, ...children.filter((each) => each !== "").map(Number)].reduce(
    (sum, each) => sum + cpuMsOfThreads(each),
    0,
  );
}

export function memoryMbOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}
