/** Stops the reading of a text whose words could mean so much that it would keep the server from other requests. */
export interface WorkLimit {
  /** Counts steps of the text that is being read; one step takes about as long as looking up a name. */
  spend(steps: number): void;

  /** What `read` returns, or `otherwise` where that takes more than `steps`. Within another reading its limit counts. */
  within<T>(steps: number, read: () => T, otherwise: () => T): T;
}

class TooMuchWork extends Error {}

export function createWorkLimit(): WorkLimit {
  let left: number | undefined;
  return { spend, within };

  function spend(steps: number): void {
    if (left === undefined) return;
    left -= steps;
    if (left < 0) throw new TooMuchWork();
  }

  function within<T>(steps: number, read: () => T, otherwise: () => T): T {
    if (left !== undefined) return read();
    left = steps;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
    } finally {
      left = undefined;
    }
    return otherwise();
  }
}
