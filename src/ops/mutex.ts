/** Runs one task at a time, in order; a task that fails does not stop the next. */
export function createMutex(): <R>(task: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();

  return (task) => {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };
}
