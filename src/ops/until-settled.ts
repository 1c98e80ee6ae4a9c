/** Runs a task; `ended` is called when it, or a promise that it returns, has ended. */
export function untilSettled<A>(task: () => A, ended: (error?: unknown) => void): A {
  let result: A;
  try {
    result = task();
  } catch (error) {
    ended(error);
    throw error;
  }
  if (result instanceof Promise) result.then(() => ended(), ended);
  else ended();
  return result;
}
