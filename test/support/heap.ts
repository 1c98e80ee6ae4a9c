import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes in use after garbage collection. Collects several times, since buffers are freed some time later. */
async function usedBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    collect();
    await sleep(20);
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

/** Megabytes that remain in use after `fill`. */
export async function heapGrowth(fill: () => unknown): Promise<number> {
  const before = await usedBytes();
  await fill();
  return ((await usedBytes()) - before) / 1e6;
}
