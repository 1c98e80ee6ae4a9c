import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";

export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection and refuses new ones. */
  stop(): Promise<void>;
  /** Forwards no byte, by default also on new connections. */
  hang(options?: { readonly newOnes: boolean }): void;
  /** Forwards bytes so many milliseconds later. */
  slow(milliseconds: number): void;
  /** Breaks the next connection on which these bytes arrive: before they reach the server, or when it answers them. */
  breakAt(bytes: string, when: "before" | "answered"): void;
  /** Counts from now on how often these bytes go to the server; gives the count so far. */
  counting(bytes: string): () => number;
  /** Sends other bytes of the same length to the server. */
  replace(bytes: string, others: string): void;
  /** Breaks every connection; new ones are served. */
  reset(): void;
  /** Serves again, under the same port. */
  mend(): Promise<void>;
}

/** A TCP proxy to a local server that fails as a network does. */
export async function aTcpProxy(
  t: Pick<TestContext, "after">,
  target: { host: string; port: number },
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const counts = new Map<string, number>();
  let hanging = false;
  let latency = 0;
  let replaced: { readonly bytes: string; readonly others: string } | undefined;
  let trap: { readonly bytes: string; readonly when: "before" | "answered" } | undefined;
  let server: Server = await listening(0);
  const { port } = server.address() as AddressInfo;
  t.after(stop);

  return {
    port,
    stop,
    hang({ newOnes } = { newOnes: true }) {
      hanging = newOnes;
      for (const socket of sockets) socket.pause();
    },
    slow(milliseconds) {
      latency = milliseconds;
    },
    breakAt(bytes, when) {
      trap = { bytes, when };
    },
    counting(bytes) {
      counts.set(bytes, 0);
      return () => counts.get(bytes) ?? 0;
    },
    replace(bytes, others) {
      replaced = { bytes, others };
    },
    reset,
    async mend() {
      hanging = false;
      latency = 0;
      for (const socket of sockets) socket.resume();
      if (!server.listening) server = await listening(port);
    },
  };

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    reset();
    await closed;
  }

  async function listening(on: number): Promise<Server> {
    const made = createServer(pass);
    made.listen(on, "127.0.0.1");
    await once(made, "listening");
    return made;
  }

  function pass(client: Socket): void {
    const upstream = connect(target);
    let breaksAtAnswer = false;
    const toServer = inOrder((chunk) => upstream.write(chunk));
    const toClient = inOrder((chunk) => client.write(chunk));
    const broken = () => {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", broken);
      socket.on("close", () => {
        sockets.delete(socket);
        broken();
      });
      if (hanging) socket.pause();
    }
    client.on("data", (chunk) => {
      for (const [bytes, count] of counts) if (chunk.includes(bytes)) counts.set(bytes, count + 1);
      if (trap && chunk.includes(trap.bytes)) {
        const { when } = trap;
        trap = undefined;
        if (when === "before") return broken();
        breaksAtAnswer = true;
      }
      const at = replaced ? chunk.indexOf(replaced.bytes) : -1;
      if (replaced && at >= 0) chunk.write(replaced.others, at);
      toServer(chunk);
    });
    upstream.on("data", (chunk) => (breaksAtAnswer ? broken() : toClient(chunk)));
  }

  /** Writes chunks in their order, each after the present latency. */
  function inOrder(write: (chunk: Buffer) => void): (chunk: Buffer) => void {
    const waiting: Buffer[] = [];
    return (chunk) => {
      if (latency === 0 && waiting.length === 0) return write(chunk);
      waiting.push(chunk);
      setTimeout(() => {
        const next = waiting.shift();
        if (next) write(next);
      }, latency);
    };
  }
}
