import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type BuiltServer, startBuiltServer } from "../support/built-process.ts";
import { aFolder } from "../support/lifetime.ts";
import { aFreePort } from "../support/machines.ts";
import { aTcpProxy } from "../support/tcp-proxy.ts";

export type ServerProcess = Awaited<ReturnType<typeof aServerProcess>>;

/** The fake clock reads its file once a second, by whole seconds. */
const CLOCK_NOTICED_MS = 3_000;
export const READY = "ready";
const STARTED_WITHIN_MS = 60_000;

/**
 * A built server that can be killed, stopped for a while and set to another time, behind a proxy of its own. `faketime` is
 * the library to preload; `onLog` gets what the process writes to stderr.
 */
export async function aServerProcess(
  t: Pick<TestContext, "after">,
  env: Readonly<Record<string, string>>,
  { faketime, onLog }: { readonly faketime: string | undefined; readonly onLog: (text: string) => void },
) {
  const port = await aFreePort();
  const front = await aTcpProxy(t, { host: "127.0.0.1", port });
  const clockFile = join(aFolder(t), "clock");
  const set: { readonly at: number; readonly offsetMs: number }[] = [{ at: 0, offsetMs: 0 }];
  writeClock(0);
  let server: BuiltServer;
  await start();
  const url = `http://127.0.0.1:${front.port}`;

  return {
    url,
    /** Between its clients and it. */
    front,
    start,
    kill: () => server.kill(),
    freeze: () => void server.child.kill("SIGSTOP"),
    thaw: () => void server.child.kill("SIGCONT"),
    /** Sets its clock so many milliseconds ahead of this one's, which it has noticed then. Needs `faketime`. */
    async setClock(offsetMs: number) {
      set.push({ at: Date.now(), offsetMs });
      writeClock(offsetMs);
      await pause(CLOCK_NOTICED_MS);
    },
    /** The earliest and latest offset that its clock can have had in an interval, in milliseconds. */
    offsets(from: number, until: number): readonly [number, number] {
      const inUse = set.filter(({ at }, index) => {
        const next = set[index + 1];
        return at <= until && (!next || from <= next.at + CLOCK_NOTICED_MS);
      });
      const all = inUse.map(({ offsetMs }) => offsetMs);
      return [Math.min(...all), Math.max(...all)];
    },
    /** `READY`, or what `/readyz` answers instead. */
    async state(): Promise<string> {
      try {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
        const text = await response.text();
        return response.status === 200 && JSON.parse(text).status === "ready" ? READY : text;
      } catch (error) {
        return String(error);
      }
    },
  };

  /** As a supervisor does: tries again where a start fails, because PostgreSQL is still recovering, say. */
  async function start(): Promise<void> {
    const clock: Record<string, string> = faketime
      ? {
          LD_PRELOAD: faketime,
          FAKETIME_TIMESTAMP_FILE: clockFile,
          FAKETIME_CACHE_DURATION: "1",
          FAKETIME_DONT_FAKE_MONOTONIC: "1",
        }
      : {};
    const deadline = performance.now() + STARTED_WITHIN_MS;
    for (;;) {
      try {
        server = await startBuiltServer(t, { ...env, ...clock, TRANSFER_HTTP_PORT: String(port) });
        break;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await pause(500);
      }
    }
    server.child.stderr.on("data", onLog);
  }

  function writeClock(offsetMs: number): void {
    const seconds = Math.round(offsetMs / 1000);
    writeFileSync(clockFile, `${seconds < 0 ? "" : "+"}${seconds}s\n`);
  }
}
