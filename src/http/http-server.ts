import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { type ConnectionLimits, watchConnections } from "./connections.ts";
import { createMessageClasses } from "./message-classes.ts";

export interface HttpServer {
  /** True from the start of `close`. */
  readonly isDraining: boolean;
  /** The actual port, also when 0 was requested. */
  readonly port: number;
  /** Handles requests from now on, and those that arrived before. */
  serve(listener: RequestListener, refuse?: RefuseBroken): void;
  /**
   * Serves for `drainMilliseconds` more, while every response asks its client to close the connection; then accepts no
   * connection, closes idle ones after as long again (at most 1 s), and all others after `graceMilliseconds`.
   */
  close(graceMilliseconds: number, drainMilliseconds?: number): Promise<void>;
}

/** The raw response to a request that is rejected before it is parsed: 400 malformed, 408 too slow, 413 and 431 too large. */
export type RefuseBroken = (status: BrokenStatus) => string;
type BrokenStatus = 400 | 408 | 413 | 431;

export interface ServerLimits extends ConnectionLimits {
  /** Milliseconds within which headers must arrive, also the first ones of a connection. Default 10,000. */
  readonly headersMs?: number;
  /** Milliseconds within which the whole request must arrive. Default 30,000. */
  readonly requestMs?: number;
  /** Milliseconds that a connection may be idle between requests; longer than proxies keep theirs. Default 65,000. */
  readonly keepAliveMs?: number;
  /** Bytes of the request line and the headers. Default 16 KiB. */
  readonly headerBytes?: number;
  /** Requests on one connection before it is closed, so that load balancers rebalance. Default 10,000. */
  readonly requestsPerConnection?: number;
}

/** Listens on an address. Rejects when the address is in use or not permitted. */
export async function listen(host: string, port: number, limits: ServerLimits = {}): Promise<HttpServer> {
  const { headersMs = 10_000, requestMs = 30_000, keepAliveMs = 65_000, checkMs = 1_000 } = limits;
  const { classes, adopt } = createMessageClasses();
  const server = createServer({
    ...classes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: limits.headerBytes ?? 16 * 1024,
  });
  server.maxRequestsPerSocket = limits.requestsPerConnection ?? 10_000;
  const connections = watchConnections(server, limits, refuse);
  let isDraining = false;
  let refusal: RefuseBroken | undefined;
  const early: [IncomingMessage, ServerResponse][] = [];
  let answer: RequestListener = (...call) => early.push(call);
  server.on("request", (request, response) => {
    if (request.socket.destroyed) return;
    answer(request, response);
  });
  server.on("request", function learn(_request, response) {
    response.once("close", () => {
      if (adopt(response)) server.off("request", learn);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    get isDraining() {
      return isDraining;
    },
    port: (server.address() as AddressInfo).port,
    serve(listener, refuseBroken) {
      answer = listener;
      refusal = refuseBroken;
      server.on("clientError", async (error: NodeJS.ErrnoException, socket) => {
        if (error.code === "ECONNRESET") return void socket.destroy();
        const status = BROKEN_STATUS[error.code ?? ""] ?? 400;
        if (status === 408 && (await connections.hadArrived(socket))) return;
        refuse(socket, status);
      });
      for (const [request, response] of early.splice(0)) listener(request, response);
    },
    async close(graceMilliseconds, drainMilliseconds = 0) {
      isDraining = true;
      connections.drain();
      if (drainMilliseconds > 0) await pause(drainMilliseconds);
      await acceptQueued(server);
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      // `close` of an HTTP server would also close connections whose request has been sent but not read: it resets them.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      await connections.untilNoneIsIdle(Math.min(drainMilliseconds, LAST_REQUESTS_MS));
      connections.end();
      await closed;
      clearTimeout(cutOff);
    },
  };

  function refuse(socket: Duplex, status: BrokenStatus): void {
    // The rest of a request that was already rejected.
    if (socket.writableEnded) return;
    if (!socket.writable || !connections.isAnswerable(socket)) return void socket.destroy();
    connections.closeSoon(socket);
    socket.end(refusal?.(status) ?? "HTTP/1.1 400 Bad Request\r\n\r\n");
  }
}

/**
 * Resolves after a turn of the event loop that accepted no connection: closing the socket resets what the system has
 * queued. Gives up where new ones never stop coming.
 */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = true;
  const onConnection = () => {
    accepted = true;
  };
  server.on("connection", onConnection);
  for (const end = performance.now() + ACCEPT_QUEUED_MS; accepted && performance.now() < end; ) {
    accepted = false;
    await setImmediate();
  }
  server.off("connection", onConnection);
}

const ACCEPT_QUEUED_MS = 500;

/** For requests on their way over connections that were accepted last. */
const LAST_REQUESTS_MS = 1_000;

const BROKEN_STATUS: Readonly<Record<string, BrokenStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
