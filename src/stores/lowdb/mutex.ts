/** Runs one task at a time, in order; a task that fails does not stop the next. */
export type Mutex = <R>(task: () => Promise<R>) => Promise<R>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();

  return function mutex<R>(task: () => Promise<R>): Promise<R> {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };
}
