import type { RequestListener, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { MINUTE } from "../../ops/durations.ts";

// An import makes Node read every export of node:http, also its WebSocket, which loads undici: 40 ms of CPU time at
// each start (Node 24).
const { createServer }: typeof import("node:http") = createRequire(import.meta.url)("node:http");

export type HttpServer = Awaited<ReturnType<typeof listen>>;

/** Limits that Node keeps by itself. What is slower or more is closed. */
const LIMITS = {
  /** Milliseconds within which headers must arrive, also on a new connection. */
  headersTimeout: 10_000,
  /** Milliseconds within which the whole request must arrive. */
  requestTimeout: 30_000,
  /** Milliseconds that a connection may be idle between requests; longer than the limit of proxies. */
  keepAliveTimeout: 65_000,
  /** Milliseconds without any traffic after which a connection with a request is closed. */
  timeout: MINUTE,
  /** Requests on a connection before it is closed, so that load balancers can rebalance. */
  maxRequestsPerSocket: 10_000,
  /** Open connections. There is no limit per address, because callers behind a proxy share an address. */
  maxConnections: 3_500,
};

/** Listens on an address. Rejects when the address is in use or not permitted. */
export async function listen(host: string, port: number, limits: Partial<typeof LIMITS> = {}) {
  const server = Object.assign(createServer({ connectionsCheckingInterval: 1_000 }), LIMITS, limits);
  /**
   * The open response of each connection; "silent" before its first request, "idle" between two. A set of open responses
   * would keep many of them in memory until a full collection, about 5 kB of each request on Node 24: V8 links the hash
   * table of a set to the one that replaces it, which happens often where each request adds and deletes an entry.
   */
  const connections = new Map<Socket, ServerResponse | "silent" | "idle">();
  const held: Parameters<RequestListener>[] = [];
  let listener: RequestListener | undefined;
  let isDraining = false;

  server.on("connection", (socket) => {
    connections.set(socket, "silent");
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    // A pipelined request, whose response Node would not report as closed if the connection closed before its turn.
    if (!response.socket) return void socket.destroy();
    connections.set(socket, response);
    response.once("close", () => {
      if (connections.get(socket) === response) connections.set(socket, "idle");
    });
    if (isDraining) response.setHeader("Connection", "close");
    if (listener) listener(request, response);
    else held.push([request, response]);
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    /** True once `close` has been called. */
    get isDraining() {
      return isDraining;
    },
    /** The actual port, also when 0 was requested. */
    port: (server.address() as AddressInfo).port,
    serve,
    /**
     * Serves for another `drainMilliseconds`, with `Connection: close` on every response; then accepts no more
     * connections, and closes those that are left once every request has its response, at the latest after
     * `graceMilliseconds`.
     */
    async close(graceMilliseconds: number, drainMilliseconds = 0): Promise<void> {
      isDraining = true;
      for (const response of openResponses()) if (!response.headersSent) response.setHeader("Connection", "close");
      await pause(drainMilliseconds);
      // Closing a listening socket resets the connections that the system has queued for it, and Node closes those whose
      // request it has not read: `server.close()` with `closeIdleConnections()` alone resets about 27 requests of 32 busy
      // clients, and none may be (test/process/serve.test.ts). While requests are held, clients wait for their responses
      // and open no more connections.
      const last = listener;
      listener = undefined;
      await pause(Math.min(drainMilliseconds, HOLD_MILLISECONDS));
      // A busy machine delays what clients send who have connected; those that only wait send nothing.
      const latest = performance.now() + Math.min(drainMilliseconds, SILENT_MILLISECONDS);
      while ([...connections.values()].includes("silent") && performance.now() < latest) await pause(10);
      const closed = new Promise((resolve) => server.close(resolve));
      if (last) serve(last);
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      for (let left = openResponses(); left.length > 0; left = openResponses()) await Promise.all(left.map(ended));
      server.closeAllConnections();
      clearTimeout(cutOff);
      await closed;
    },
  };

  function openResponses(): readonly ServerResponse[] {
    return [...connections.values()].filter((each) => typeof each !== "string");
  }

  /** Passes all requests to the listener, including those that have arrived before. */
  function serve(next: RequestListener): void {
    listener = next;
    for (const [request, response] of held.splice(0)) next(request, response);
  }
}

/** How long requests are held before the server stops listening, and how long at most while a connection has sent none. */
const HOLD_MILLISECONDS = 100;
const SILENT_MILLISECONDS = 1_000;

function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once("close", resolve));
}
