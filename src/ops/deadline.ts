import { PublicError, upstreamUnavailable } from "../contract/errors.ts";

/**
 * Gives a task so many milliseconds; `limit` aborts when they are over or `signal` aborts. Throws UPSTREAM_UNAVAILABLE
 * with this detail where the time was too short, and otherwise what the task throws.
 */
export async function withinDeadline<A>(
  milliseconds: number,
  detail: string,
  signal: AbortSignal,
  task: (limit: AbortSignal) => Promise<A>,
): Promise<A> {
  const deadline = AbortSignal.timeout(milliseconds);
  try {
    return await task(AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (!deadline.aborted || signal.aborted || error instanceof PublicError) throw error;
    throw upstreamUnavailable(detail, error);
  }
}
