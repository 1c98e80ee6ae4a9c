import { setTimeout as pause } from "node:timers/promises";

/** Whether an answer comes from load shedding, which happens on small machines that run other tests as well. */
export function isShed(text: string): boolean {
  return text.includes("The server is overloaded.");
}

/** `fetch` that retries for at most 30 s while the server sheds load. */
export const patientFetch: typeof fetch = async (...call) => {
  for (const deadline = performance.now() + 30_000; ; await pause(50)) {
    const response = await fetch(...call);
    if (response.status !== 503 || performance.now() > deadline) return response;
    if (!isShed(await response.clone().text())) return response;
  }
};
