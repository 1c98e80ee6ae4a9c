/** The parts of a call whose time is measured. */
export const STAGES = ["authentication", "places", "routing", "pricing", "store"] as const;
export type Stage = (typeof STAGES)[number];

/**
 * Runs a part of a call and returns what `task` returns or throws; the stage lasts until a promise that it returns has
 * settled. Stages are timed where they are used, so that one mechanism serves metrics and traces.
 */
export type ObserveStage = <A>(stage: Stage, task: () => A) => A;

/** For processes that report neither. */
export const unobserved: ObserveStage = (_stage, task) => task();

/** Reports how long each stage took, failed ones included: two readings of the clock for each. */
export function createStages(onEnded: (stage: Stage, milliseconds: number) => void): ObserveStage {
  return (stage, task) => {
    const started = performance.now();
    const ended = () => onEnded(stage, performance.now() - started);
    let result: ReturnType<typeof task>;
    try {
      result = task();
    } catch (error) {
      ended();
      throw error;
    }
    if (result instanceof Promise) result.then(ended, ended);
    else ended();
    return result;
  };
}
