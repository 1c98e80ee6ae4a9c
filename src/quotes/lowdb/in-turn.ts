/** Runs a task when all that were given before it have ended, however they ended. */
export type InTurn = <R>(task: () => Promise<R>) => Promise<R>;

export function createInTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();

  return function inTurn<R>(task: () => Promise<R>): Promise<R> {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };
}
