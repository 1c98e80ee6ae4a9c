import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionLimits, watchConnections } from "./connections.ts";

export interface HttpServer {
  /** The port it got, also where 0 was asked for. */
  readonly port: number;
  /** Answers requests from now on, and those that came before. */
  serve(listener: RequestListener, refuse?: RefuseBroken): void;
  /** Takes no more requests, lets those under way finish within `graceMilliseconds`, then cuts them off. */
  close(graceMilliseconds: number): Promise<void>;
}

/** The raw HTTP answer to what is refused before it can be handled: 400 broken, 408 too slow, 413 and 431 too large. */
export type RefuseBroken = (status: BrokenStatus) => string;
export type BrokenStatus = 400 | 408 | 413 | 431;

export interface ServerLimits extends ConnectionLimits {
  /** Milliseconds in which a request's headers have to arrive, and in which a new connection has to send them. Default 10,000. */
  readonly headersMs?: number;
  /** Milliseconds in which the whole request has to arrive. Default 30,000. */
  readonly requestMs?: number;
  /** Milliseconds that a connection may be idle between two requests; longer than proxies keep theirs. Default 65,000. */
  readonly keepAliveMs?: number;
  /** Bytes of the request line and the headers. Default 16 KiB. */
  readonly headerBytes?: number;
  /** Requests on one connection before its client is told to close it, so that a balancer spreads it anew. Default 10,000. */
  readonly requestsPerConnection?: number;
}

/** Listens on an address. Rejects where that is taken or not allowed. */
export async function listen(host: string, port: number, limits: ServerLimits = {}): Promise<HttpServer> {
  const { headersMs = 10_000, requestMs = 30_000, keepAliveMs = 65_000, checkMs = 1_000 } = limits;
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: limits.headerBytes ?? 16 * 1024,
  });
  server.maxRequestsPerSocket = limits.requestsPerConnection ?? 10_000;
  const connections = watchConnections(server, limits, refuse);
  let refusal: RefuseBroken | undefined;
  const early: [IncomingMessage, ServerResponse][] = [];
  let answer: RequestListener = (...call) => early.push(call);
  server.on("request", (request, response) => {
    if (request.socket.destroyed) return;
    // A connection kept alive would keep the process alive too.
    if (connections.ending) response.setHeader("Connection", "close");
    answer(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve(listener, refuseBroken) {
      answer = listener;
      refusal = refuseBroken;
      server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
        if (error.code === "ECONNRESET") return void socket.destroy();
        refuse(socket, BROKEN_STATUS[error.code ?? ""] ?? 400);
      });
      for (const [request, response] of early.splice(0)) listener(request, response);
    },
    async close(graceMilliseconds) {
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        connections.end();
      });
      clearTimeout(cutOff);
    },
  };

  function refuse(socket: Duplex, status: BrokenStatus): void {
    // More of what has been refused already.
    if (socket.writableEnded) return;
    if (!socket.writable || !connections.isAnswerable(socket)) return void socket.destroy();
    connections.closeSoon(socket);
    socket.end(refusal?.(status) ?? "HTTP/1.1 400 Bad Request\r\n\r\n");
  }
}

const BROKEN_STATUS: Readonly<Record<string, BrokenStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
