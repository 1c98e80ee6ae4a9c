import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause, setImmediate } from "node:timers/promises";
import { refuse } from "../calls/finished-call.ts";
import { PublicError } from "../contract/errors.ts";
import { createRequestId } from "../ops/ids.ts";
import type { AppParts } from "./app.ts";
import { bodyTooLarge } from "./body-limit.ts";

// An import makes Node read every export of node:http, also its WebSocket, which loads undici: 40 ms of CPU time at
// each start (Node 24).
const { createServer, STATUS_CODES }: typeof import("node:http") = createRequire(import.meta.url)("node:http");

export interface HttpServer {
  /** True once `close` has been called. */
  readonly isDraining: boolean;
  /** The actual port, also when 0 was requested. */
  readonly port: number;
  /** Passes all requests to the listener, including those that have arrived before. */
  serve(listener: RequestListener, problems?: ProblemParts): void;
  /**
   * Serves for another `drainMilliseconds`, with `Connection: close` on every response; then accepts no more
   * connections, closes connections without a request after the same time again (at most 1 s), and all others after
   * `graceMilliseconds`.
   */
  close(graceMilliseconds: number, drainMilliseconds?: number): Promise<void>;
}

/** For requests that are rejected before the listener receives them. */
type ProblemParts = Pick<AppParts, "docsBase" | "onFinished">;

export interface ServerLimits {
  /** Milliseconds within which headers must arrive, also on a new connection. Default 10,000. */
  readonly headersMs?: number;
  /** Milliseconds within which the whole request must arrive. Default 30,000. */
  readonly requestMs?: number;
  /** Milliseconds that a connection may be idle between requests; longer than the limit of proxies. Default 65,000. */
  readonly keepAliveMs?: number;
  /** Milliseconds without any traffic after which a connection with a request is closed. Default 60,000. */
  readonly silenceMs?: number;
  /** Most bytes of a body on the wire; a longer one is rejected with 413 at the next check. Default 1 MiB. */
  readonly bodyBytes?: number;
  /** Most requests on a connection before it is closed, so that load balancers can rebalance. Default 10,000. */
  readonly requestsPerConnection?: number;
  /** Most pipelined requests of a connection without a response; one more closes it. Default 16. */
  readonly pipelined?: number;
  /**
   * Most open connections; one more closes the one that has been idle longest, whereas Node's `maxConnections` would
   * refuse the new one. There is no limit per address, because callers behind a proxy share an address. Default 10,000,
   * or fewer where the system allows fewer open files.
   */
  readonly connections?: number;
  /** Most request bodies arriving at the same time; one more closes the connection of the oldest. Default 512. */
  readonly uploads?: number;
  /** Milliseconds between two checks of these limits. Default 1,000. */
  readonly checkMs?: number;
}

/** Listens on an address. Rejects when the address is in use or not permitted. */
export async function listen(host: string, port: number, limits: ServerLimits = {}): Promise<HttpServer> {
  const { connections: mostConnections = connectionsForOpenFiles(), uploads: mostUploads = 512 } = limits;
  const { pipelined = 16, bodyBytes = 1024 * 1024, checkMs = 1_000 } = limits;
  const server = createServer({
    headersTimeout: limits.headersMs ?? 10_000,
    requestTimeout: limits.requestMs ?? 30_000,
    keepAliveTimeout: limits.keepAliveMs ?? 65_000,
    connectionsCheckingInterval: checkMs,
  });
  server.timeout = limits.silenceMs ?? 60_000;
  server.maxRequestsPerSocket = limits.requestsPerConnection ?? 10_000;
  /** Responses of each connection that are open or whose request is still arriving; longest idle connection first. */
  const connections = new Map<Duplex, Set<ServerResponse>>();
  /** Responses whose request body may still be arriving, oldest first, with the bytes read before it. */
  const uploads = new Map<ServerResponse, number>();
  const held: [IncomingMessage, ServerResponse][] = [];
  const hold: RequestListener = (...call) => held.push(call);
  let answer = hold;
  let problems: ProblemParts | undefined;
  let isDraining = false;

  server.on("connection", (socket: Socket) => {
    const responses = new Set<ServerResponse>();
    connections.set(socket, responses);
    socket.once("close", () => {
      connections.delete(socket);
      // Node emits no `close` on a pipelined response whose connection closes before its turn.
      for (const response of responses) if (!response.socket) response.emit("close");
    });
    if (connections.size <= mostConnections) return;
    for (const [idle, open] of connections) if (open.size === 0) return void idle.destroy();
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    const responses = connections.get(socket);
    // The parser may still emit requests of a closed connection.
    if (!responses || socket.destroyed) return;
    responses.add(response);
    uploads.set(response, socket.bytesRead);
    const end = () => {
      responses.delete(response);
      uploads.delete(response);
      if (connections.delete(socket)) connections.set(socket, responses);
    };
    response.once("close", () => {
      if (request.complete) end();
      else request.once("close", end);
    });
    if (responses.size > pipelined) return void socket.destroy();
    for (const oldest of uploads.keys()) {
      if (uploads.size <= mostUploads) break;
      uploads.delete(oldest);
      if (!oldest.req.complete) oldest.req.socket.destroy();
    }
    if (isDraining) response.setHeader("Connection", "close");
    answer(request, response);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") socket.destroy();
    else closeWith(socket, BROKEN_STATUS[error.code ?? ""] ?? 400);
  });
  const checking = setInterval(() => {
    for (const [{ req: request }, start] of uploads)
      if (!request.complete && request.socket.bytesRead - start > bodyBytes) closeWith(request.socket, 413);
  }, checkMs).unref();

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
    serve(listener, parts) {
      answer = listener;
      problems = parts;
      release();
    },
    async close(graceMilliseconds, drainMilliseconds = 0) {
      isDraining = true;
      for (const response of [...connections.values()].flatMap((open) => [...open]))
        if (!response.headersSent) response.setHeader("Connection", "close");
      const listener = answer;
      if (drainMilliseconds > 0) {
        await pause(drainMilliseconds);
        answer = hold;
        await untilNoneConnects(server);
      }
      // Lets the event loop accept connections and read requests that have arrived by now.
      await setImmediate();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      answer = listener;
      release();
      const withoutRequest = setTimeout(closeIdle, Math.min(drainMilliseconds, LAST_REQUESTS_MS));
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      await closed;
      for (const timer of [withoutRequest, cutOff, checking]) clearTimeout(timer);
    },
  };

  function release(): void {
    for (const [request, response] of held.splice(0)) answer(request, response);
  }

  function closeIdle(): void {
    for (const [socket, open] of connections) if (open.size === 0) socket.destroy();
  }

  /** Answers a broken request and closes its connection; only closes where the client could misattribute the answer. */
  function closeWith(socket: Duplex, status: BrokenStatus): void {
    // A request on this connection was already rejected.
    if (socket.writableEnded) return;
    const [response, another] = connections.get(socket) ?? [];
    const isAnswerable = !another && !response?.headersSent && !response?.req.complete;
    if (!socket.writable || !isAnswerable || !problems) return void socket.destroy();
    socket.end(brokenAnswer(status, problems));
    // Closing a connection with unread data resets it, so that the client might not get the answer.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }
}

/**
 * Closing a listening socket resets the connections that the system has queued for it. Resolves once no client has
 * connected for a while, which happens because clients wait for their held requests; otherwise after half a second.
 */
async function untilNoneConnects(server: Server): Promise<void> {
  let quiet = 0;
  const onConnection = () => {
    quiet = 0;
  };
  server.on("connection", onConnection);
  // Counts turns of the event loop, since time also passes in a suspended process, where connections queue up.
  for (const end = performance.now() + 500; quiet < 10 && performance.now() < end; quiet += 1) await pause(5);
  server.off("connection", onConnection);
}

/** How long the last accepted connections may take to send their request. */
const LAST_REQUESTS_MS = 1_000;
const LINGER_MS = 2_000;

type BrokenStatus = keyof typeof BROKEN_REQUESTS;

const BROKEN_STATUS: Readonly<Record<string, BrokenStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const BROKEN_REQUESTS = {
  400: { detail: "The request is not valid HTTP.", nextAction: "Send a well-formed HTTP/1.1 request." },
  408: { detail: "The request did not arrive in time.", nextAction: "Send the whole request at once." },
  413: bodyTooLarge,
  431: { detail: "The request headers are too large.", nextAction: "Send at most 16 KiB of headers." },
} as const;

/** A problem as raw HTTP, because Node has created no response for the request. */
function brokenAnswer(status: BrokenStatus, { docsBase, onFinished }: ProblemParts): string {
  const { detail, nextAction } = BROKEN_REQUESTS[status];
  const error = new PublicError("INVALID_REQUEST", detail, { status, nextAction });
  const requestId = createRequestId();
  const refused = { requestId, surface: "http", instance: null, milliseconds: 0 } as const;
  const text = JSON.stringify(refuse(error, refused, { docsBase, onFinished }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

/** The process's limit of open files (Node raises it to the hard limit) less 256 for the store, the log and so on. */
function connectionsForOpenFiles(): number {
  const limits = existsSync("/proc/self/limits") ? readFileSync("/proc/self/limits", "utf8") : "";
  const files = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(1, Math.min(10_000, files - 256));
}
