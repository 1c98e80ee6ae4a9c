import { measureDeployment, whyNoDeployment } from "./measure-deployment.ts";
import type { CleanUp, Measurement } from "./measurement.ts";

const PATH = "one process on PostgreSQL and Redis, quotes/s";
/** What a process carried before calls were made faster. */
const BEFORE = 175;
/** No process is planned fuller: what is above waits in bursts. */
const FULL = 0.7;

/** How many quotes a second one process carries, by its CPU time for one; none where this machine lacks a server. */
export async function deploymentRows(t: CleanUp, { part }: { readonly part: string }): Promise<readonly Measurement[]> {
  if (!PATH.includes(part)) return [];
  const reason = whyNoDeployment();
  if (reason) {
    process.stderr.write(`${PATH}: ${reason}\n`);
    return [];
  }
  const { cpuSeconds } = await measureDeployment(t as Parameters<typeof measureDeployment>[0]);
  const ours = { perSecond: FULL / cpuSeconds.process, cpuMs: cpuSeconds.process * 1000 };
  return [{ path: PATH, peer: `itself, ${BEFORE}`, goal: 5, ratio: ours.perSecond / BEFORE, ours }];
}
