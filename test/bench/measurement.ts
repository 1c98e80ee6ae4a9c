import { cpus, loadavg } from "node:os";

/** What one side of a row takes; absent where it means nothing there. */
export interface Side {
  readonly perSecond?: number;
  readonly p50?: number;
  readonly p99?: number;
  /** CPU milliseconds for a call. */
  readonly cpuMs?: number;
  readonly memoryMb?: number;
}

export interface Measurement {
  readonly path: string;
  /** What counts as 1. */
  readonly peer: string;
  readonly goal: number;
  /** Ours by the peer's: calls a second, or time or memory where `less` is better. */
  readonly ratio: number;
  /** The same by CPU time, which other load on the machine changes less: more is better as for `ratio`, or less is. */
  readonly cpuRatio?: number;
  readonly less?: true;
  readonly ours: Side;
  readonly theirs?: Side;
}

/** What `npm run bench -- --write` keeps and the README shows. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  /** Processes that waited for a processor before the run, on average. */
  readonly loadBefore: number;
  readonly rows: readonly Measurement[];
}

export function thisMachine(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version.slice(1)}`;
}

export function loadNow(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}

/** What cleans up after a measurement, as tests have it. */
export type CleanUp = { after(clean: unknown): void };

export function at(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return at(numbers, 0.5);
}

/** The median of each figure. */
export function medians(sides: readonly Side[]): Side {
  const names = Object.keys(sides[0] ?? {}) as (keyof Side)[];
  return Object.fromEntries(names.map((name) => [name, median(sides.map((side) => side[name] ?? Number.NaN))]));
}

export function quotient(a: number | undefined, b: number | undefined): number {
  return (a ?? Number.NaN) / (b ?? Number.NaN);
}
