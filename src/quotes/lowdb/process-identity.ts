import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Which process, on which machine; equal for one process alone, also where its id is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Machine, boot and pid namespace; where it differs, the pid says nothing. */
  readonly place: string;
  /** The kernel's start time of the process, or `null` where the system does not tell. */
  readonly startedAt: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, place: ownPlace(), startedAt: statusOf(process.pid)?.startedAt ?? null };
}

/**
 * Whether the process still runs; "perhaps" where a process has its id and the system does not tell whether it is the
 * same one, "elsewhere" where it cannot be seen from here.
 */
export function isRunning({ pid, place, startedAt }: ProcessIdentity): boolean | "perhaps" | "elsewhere" {
  if (place !== ownPlace()) return "elsewhere";
  const status = statusOf(pid);
  if (status && startedAt !== null) return status.startedAt === startedAt && !status.isDead;
  return answers(pid) ? "perhaps" : false;
}

function ownPlace(): string {
  return [hostname(), attempt(bootId) ?? "", attempt(() => readlinkSync("/proc/self/ns/pid")) ?? ""].join(
    " ",
  );
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

/** From `/proc/<pid>/stat`; its second field is a name in brackets that may hold anything. */
function statusOf(pid: number): { readonly startedAt: string; readonly isDead: boolean } | undefined {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = line?.slice(line.lastIndexOf(")") + 2).split(" ");
  const [state, startedAt] = [fields?.[0], fields?.[19]];
  return state && startedAt ? { startedAt, isDead: state === "Z" || state === "X" } : undefined;
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function attempt<R>(read: () => R): R | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
