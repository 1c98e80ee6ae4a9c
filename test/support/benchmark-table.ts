import type { Measurement, Side } from "../bench/measurement.ts";

export const HEAD = ["Path", "Peer = 1", "Ratio", "By CPU", "Goal", "Calls/s", "p50 ms", "p99 ms", "CPU ms", "MB"];

/** A row of the table: ours / the peer's. */
export function cellsOf({ path, peer, ratio, cpuRatio, goal, less, ours, theirs }: Measurement): readonly string[] {
  const both = (name: keyof Side) => [ours[name], theirs?.[name]].flatMap((value) => figure(value)).join(" / ");
  const goalText = `${less ? "≤ " : "≥ "}${goal}`;
  const figures = (["perSecond", "p50", "p99", "cpuMs", "memoryMb"] as const).map(both);
  return [path, peer, ratio.toFixed(2), cpuRatio?.toFixed(2) ?? "", goalText, ...figures];
}

function figure(value: number | undefined): string | readonly [] {
  if (value === undefined) return [];
  if (value >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(value < 0.1 ? 1 : 2)));
}
