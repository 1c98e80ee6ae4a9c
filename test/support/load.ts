import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { BuiltServer } from "./built-process.ts";
import { once } from "./machines.ts";
import type { ApiAnswer } from "./service.ts";
import { until } from "./until.ts";

/** A call that got no quote. */
export interface Failure {
  readonly server: BuiltServer;
  readonly key: string;
  readonly took: number;
  /** `undefined` where the connection broke instead. */
  readonly answer: ApiAnswer | undefined;
}

export interface Load {
  /** The quotes created so far, by idempotency key. */
  readonly answered: ReadonlyMap<string, ApiAnswer>;
  readonly failures: readonly Failure[];
  /** Resolves once so many more calls have ended this way. */
  more(what: "answered" | "failures", count: number): Promise<void>;
  /** Resolves when the last call has been answered. */
  stop(): Promise<void>;
}

const CALLERS = 9;
/** How long a caller waits before its next call. */
const REST_MILLISECONDS = 150;

/** Agents that request quotes from the processes in turn, each with a key of its own, until they are stopped. */
export function underLoad(servers: () => readonly BuiltServer[], token: string, body: object): Load {
  const answered = new Map<string, ApiAnswer>();
  const failures: Failure[] = [];
  let isOn = true;
  let calls = 0;
  const callers = Promise.all(Array.from({ length: CALLERS }, callOnAndOn));

  return {
    answered,
    failures,
    async more(what, count) {
      const size = () => (what === "answered" ? answered.size : failures.length);
      const enough = size() + count;
      await until(() => size() >= enough, `${count} more calls are ${what}`);
    },
    async stop() {
      isOn = false;
      await callers;
    },
  };

  async function callOnAndOn(): Promise<void> {
    while (isOn) {
      const all = servers();
      const server = all[calls % all.length];
      calls += 1;
      if (!server) continue;
      const key = randomUUID();
      const begun = performance.now();
      const answer = await once(server, "/quotes", { token, body, headers: { "Idempotency-Key": key } }).catch(
        () => undefined,
      );
      if (answer?.status === 201) answered.set(key, answer);
      else failures.push({ server, key, took: performance.now() - begun, answer });
      await pause(REST_MILLISECONDS);
    }
  }
}
