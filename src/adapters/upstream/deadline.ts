import { PublicError, upstreamUnavailable } from "../../contract/errors.ts";

/**
 * Runs a task with a deadline: `limit` aborts after `milliseconds` or with `signal`. Throws UPSTREAM_UNAVAILABLE with
 * `detail` when the deadline has passed, and otherwise what the task throws.
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
