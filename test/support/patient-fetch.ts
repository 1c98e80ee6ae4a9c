import { setTimeout as pause } from "node:timers/promises";

/** Whether a server sheds the call of this answer: beside other tests a small machine is overloaded now and then. */
export function isShed(text: string): boolean {
  return text.includes("The server is overloaded.");
}

/** `fetch`, and again for at most 30 s where the server sheds the call. */
export const patientFetch: typeof fetch = async (...call) => {
  for (const deadline = performance.now() + 30_000; ; await pause(50)) {
    const response = await fetch(...call);
    if (response.status !== 503 || performance.now() > deadline) return response;
    if (!isShed(await response.clone().text())) return response;
  }
};
