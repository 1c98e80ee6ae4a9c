import { Session } from "node:inspector/promises";

/** Counts how often functions are called, so that a test of how much work something is does not depend on the machine. */
export async function createCallCounter(isCounted: (url: string) => boolean) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

  return { callsOf, stop: () => session.disconnect() };

  /** The calls of functions in the counted files while `run` runs. */
  async function callsOf(run: () => void): Promise<number> {
    await session.post("Profiler.takePreciseCoverage");
    run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const counted = result.filter(({ url }) => isCounted(url));
    return counted.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  }
}
