import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { TestContext } from "node:test";

export type TcpProxy = Awaited<ReturnType<typeof aTcpProxy>>;

/** The address of PostgreSQL or Redis through a proxy that can fail. */
export async function proxied(
  t: Pick<TestContext, "after">,
  address: string,
): Promise<{ readonly url: string; readonly proxy: TcpProxy }> {
  const url = new URL(address);
  const usualPort = url.protocol === "redis:" ? 6379 : 5432;
  const proxy = await aTcpProxy(t, { host: url.hostname, port: Number(url.port || usualPort) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { url: url.href, proxy };
}

/** A TCP proxy to a local server, with the failures of a network. */
export async function aTcpProxy(t: Pick<TestContext, "after">, target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let hanging = false;
  let latency = 0;
  let trap: { readonly bytes: string; readonly when: "before" | "answered" } | undefined;
  let server: Server = await listening(0);
  const { port } = server.address() as AddressInfo;
  t.after(stop);

  return {
    port,
    stop,
    reset,
    /** Stops forwarding bytes, on new connections as well. */
    hang() {
      hanging = true;
      for (const socket of sockets) socket.pause();
    },
    /** Delays all bytes by this many milliseconds. */
    slow(milliseconds: number) {
      latency = milliseconds;
    },
    /** Breaks the next connection on which these bytes arrive, before forwarding them or when the server answers. */
    breakAt(bytes: string, when: "before" | "answered") {
      trap = { bytes, when };
    },
    /** Works again, on the same port. */
    async mend() {
      hanging = false;
      latency = 0;
      for (const socket of sockets) socket.resume();
      if (!server.listening) server = await listening(port);
    },
  };

  /** Breaks all connections, but accepts new ones. */
  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  /** Breaks all connections and refuses new ones. */
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
      if (trap && chunk.includes(trap.bytes)) {
        const { when } = trap;
        trap = undefined;
        if (when === "before") return broken();
        breaksAtAnswer = true;
      }
      toServer(chunk);
    });
    upstream.on("data", (chunk) => (breaksAtAnswer ? broken() : toClient(chunk)));
  }

  /** Writes chunks in order, each after the current latency. */
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
