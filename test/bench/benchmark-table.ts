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
  /** Absent for a peer that is only a limit. */
  readonly goal?: number;
  /** Ours by the peer's: calls a second, or time or memory where `less` is better. */
  readonly ratio: number;
  /** The same by CPU time, which other load on the machine changes less. */
  readonly cpuRatio?: number;
  readonly less?: true;
  readonly ours: Side;
  readonly theirs?: Side;
}

/** What `npm run bench -- --write` keeps and the documents show. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  /** Processes that waited for a processor before the run, on average. */
  readonly loadBefore: number;
  readonly rows: readonly Measurement[];
}

export const HEAD = ["Path", "Peer = 1", "Ratio", "By CPU", "Goal", "Calls/s", "p50 ms", "p99 ms", "CPU ms", "MB"];

/** A row of the table: ours / the peer's. */
export function cellsOf({ path, peer, ratio, cpuRatio, goal, less, ours, theirs }: Measurement): readonly string[] {
  const both = (name: keyof Side) => [ours[name], theirs?.[name]].flatMap((value) => figure(value)).join(" / ");
  const figures = (["perSecond", "p50", "p99", "cpuMs", "memoryMb"] as const).map(both);
  const wanted = goal === undefined ? "" : `${less ? "≤" : "≥"} ${goal}`;
  return [path, peer, ratio.toFixed(2), cpuRatio?.toFixed(2) ?? "", wanted, ...figures];
}

function figure(value: number | undefined): string | readonly [] {
  if (value === undefined) return [];
  if (value >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(value < 0.1 ? 1 : 2)));
}
