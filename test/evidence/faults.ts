import type { OwnServer } from "../support/own-servers.ts";
import type { TcpProxy } from "../support/tcp-proxy.ts";
import type { ServerProcess } from "./server-process.ts";

/** Something that breaks and is mended; between the two it calls `hold`, which takes its time. */
export interface Fault {
  readonly name: string;
  /** Whether it ends a process with kill -9. */
  readonly isKill?: boolean;
  run(hold: () => Promise<void>): Promise<void>;
}

const SLOW_MS = 150;
/** Longer than a quote is valid. */
const JUMP_MS = 35 * 60_000;

/** Faults of each server and of the connections to it. Memory of budgets is lost with a process that counts in it. */
export function processFaults(
  servers: readonly ServerProcess[],
  countingApart: (readonly [number, number])[],
): readonly Fault[] {
  return servers.flatMap(
    (server) =>
      [
        {
          name: "kill -9 of a server",
          isKill: true,
          async run(hold) {
            const at = Date.now();
            await server.kill();
            await hold();
            await server.start();
            countingApart.push([at, Date.now() + 1_000]);
          },
        },
        {
          name: "a frozen server (SIGSTOP)",
          async run(hold) {
            server.freeze();
            await hold();
            server.thaw();
          },
        },
        ...linkFaults("a server's clients", server.front),
      ] satisfies Fault[],
  );
}

/** Faults of the connections to something. */
export function linkFaults(to: string, proxy: TcpProxy): readonly Fault[] {
  const named = (what: string, act: () => unknown): Fault => ({
    name: `${what} connections to ${to}`,
    async run(hold) {
      await act();
      await hold();
      await proxy.mend();
    },
  });
  return [
    named("cut", proxy.reset),
    named("refused", proxy.stop),
    named("frozen", () => proxy.hang()),
    named("slow", () => proxy.slow(SLOW_MS)),
  ];
}

/** kill -9 of every process of a server, and its recovery. */
export function outageFaults(of: string, server: OwnServer): readonly Fault[] {
  const kill: Fault = {
    name: `kill -9 of ${of}`,
    isKill: true,
    async run(hold) {
      await server.kill();
      await hold();
      await server.start();
    },
  };
  return [kill, kill];
}

export function diskFaults({ fill, free }: { fill(): void; free(): void }): readonly Fault[] {
  return [
    {
      name: "a full disk",
      async run(hold) {
        fill();
        await hold();
        free();
      },
    },
  ];
}

/** The clock of one process jumps by 35 minutes in either direction, and back. */
export function clockFaults(servers: readonly ServerProcess[]): readonly Fault[] {
  return servers.flatMap((server) =>
    [JUMP_MS, -JUMP_MS].map((offset) => ({
      name: `a clock ${offset > 0 ? "ahead" : "behind"} by 35 minutes`,
      async run(hold: () => Promise<void>) {
        await server.setClock(offset);
        await hold();
        await server.setClock(0);
      },
    })),
  );
}
