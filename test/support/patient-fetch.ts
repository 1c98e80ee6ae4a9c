import { setTimeout as pause } from "node:timers/promises";

/** Whether an answer comes from load shedding, which happens on small machines that run other tests as well. */
export function isShed(text: string): boolean {
  return text.includes("The server is overloaded.");
}

/**
 * `fetch` that retries for at most 30 s while the server sheds load. Each connection serves one request: where test and
 * server share an event loop that a test has blocked for seconds, the server closes an idle connection in the same turn
 * in which the client sends on it.
 */
export const patientFetch: typeof fetch = async (input, options) => {
  const headers = new Headers(options?.headers);
  headers.set("Connection", "close");
  for (const deadline = performance.now() + 30_000; ; await pause(50)) {
    const response = await fetch(input, { ...options, headers });
    if (response.status !== 503 || performance.now() > deadline) return response;
    if (!isShed(await response.clone().text())) return response;
  }
};
