/** Counts to `limit` in each second. The next begins when it is first looked at after the last has ended. */
export function countPerSecond(limit: number, now = () => performance.now()) {
  let [since, count] = [Number.NEGATIVE_INFINITY, 0];
  return {
    isReached(): boolean {
      const at = now();
      if (at - since >= 1_000) [since, count] = [at, 0];
      return count >= limit;
    },
    count(): void {
      count += 1;
    },
  };
}
