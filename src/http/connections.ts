import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause, setImmediate } from "node:timers/promises";

export interface ConnectionLimits {
  /**
   * Open connections; one more closes the one that has been idle longest. There is no limit per address, because
   * callers behind a proxy share one. Default 10,000, or fewer where the system allows fewer open files.
   */
  readonly connections?: number;
  /** Request bodies arriving at the same time; one more closes the oldest upload. Default 512 (at most 64 MiB). */
  readonly uploads?: number;
  /** Bytes of one body on the wire; more is rejected with 413 at the next check. Default 1 MiB. */
  readonly bodyBytes?: number;
  /** Pipelined requests that wait for their responses; one more closes the connection. Default 16. */
  readonly pipelined?: number;
  /** Milliseconds that a peer may leave a response unread. Default 60,000. */
  readonly answerMs?: number;
  /** Milliseconds for which the rest of a request is read and discarded after its response. Default 2,000. */
  readonly lingerMs?: number;
  /** Milliseconds between two checks of these limits. Default 1,000. */
  readonly checkMs?: number;
}

/** Closes a connection, with a response of this status unless one has been started. */
type Refuse = (socket: Duplex, status: 413) => void;

interface Busy {
  readonly requests: number;
  /** When the first of them arrived, or the latest response was read. */
  readonly since: number;
  /** Of the latest request. */
  readonly response: ServerResponse;
}

const DRAIN_CHECK_MS = 10;
/** Left for the store, the log, the database and so on. */
const SPARE_FILES = 256;

/**
 * Tracks which connections carry a request and closes those that would exhaust a shared resource. Node's own
 * `closeIdleConnections` misses connections without a first request (browsers connect ahead) and those that become idle
 * later.
 */
export function watchConnections(server: Server, limits: ConnectionLimits, refuse: Refuse) {
  const { connections = mostConnections(), uploads = 512, pipelined = 16 } = limits;
  const { bodyBytes = 1024 * 1024 } = limits;
  const { answerMs = 60_000, lingerMs = 2_000, checkMs = 1_000 } = limits;
  /** Without a request, longest idle first. */
  const idle = new Set<Duplex>();
  const busy = new Map<Duplex, Busy>();
  /** Requests whose body may still be arriving, oldest first, and what their connection had read before. */
  const arriving = new Map<IncomingMessage, number>();
  /** Connections whose request is late by the clock, and that request once its headers are read. */
  const late = new Map<Duplex, IncomingMessage | undefined>();
  let draining = false;
  let ended = false;

  server.on("connection", (socket: Socket) => {
    idle.add(socket);
    socket.once("close", () => forget(socket));
    if (idle.size + busy.size <= connections) return;
    for (const longestIdle of idle) return drop(longestIdle);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // The parser may still hold requests of a closed connection.
    if (socket.destroyed) return;
    if (draining) response.setHeader("Connection", "close");
    if (late.has(socket)) late.set(socket, request);
    begin(socket, response);
    response.once("close", () => end(socket));
    if (!hasBody(request)) return;
    watchBody(request);
    response.once("finish", () => {
      if (!request.complete) discardRest(request);
    });
  });
  const checking = setInterval(() => {
    const before = performance.now() - answerMs;
    for (const [socket, { since }] of busy) if (since < before) drop(socket);
    for (const [{ complete, socket }, start] of arriving) {
      if (!complete && socket.bytesRead - start > bodyBytes) refuse(socket, 413);
    }
  }, checkMs).unref();
  server.once("close", () => clearInterval(checking));

  return {
    /**
     * Whether a rejection would be read as that of the request it is for: a response that has been started must not be
     * interrupted, and a request that has arrived whole has a response of its own.
     */
    isAnswerable(socket: Duplex) {
      const { requests = 0, response } = busy.get(socket) ?? {};
      return requests === 0 || (requests === 1 && !response?.headersSent && !response?.req.complete);
    },
    /**
     * Whether a request whose time is over had arrived whole: a process that was busy or stopped checks the time before
     * it reads what has come meanwhile.
     */
    async hadArrived(socket: Duplex): Promise<boolean> {
      const request = busy.get(socket)?.response.req;
      // One that is complete waits for its response; the next one is late.
      late.set(socket, request?.complete ? undefined : request);
      await setImmediate();
      const arrived = late.get(socket);
      late.delete(socket);
      return arrived?.complete === true;
    },
    /** From now on every response asks its client to close the connection. */
    drain() {
      draining = true;
      for (const { response } of busy.values()) if (!response.headersSent) response.setHeader("Connection", "close");
    },
    /** Resolves when no connection is idle any more, at the latest after `milliseconds`. */
    async untilNoneIsIdle(milliseconds: number) {
      const end = performance.now() + milliseconds;
      while (idle.size > 0 && performance.now() < end) await pause(DRAIN_CHECK_MS);
    },
    /** Closes idle connections now and the others after their last response. */
    end() {
      ended = true;
      for (const socket of idle) drop(socket);
    },
    /** Closes a connection once its peer has read what was written, or after `lingerMs`. */
    closeSoon(socket: Duplex) {
      const late = setTimeout(() => socket.destroy(), lingerMs).unref();
      socket.once("close", () => clearTimeout(late));
    },
  };

  function begin(socket: Duplex, response: ServerResponse): void {
    const { requests, since } = busy.get(socket) ?? { requests: 0, since: performance.now() };
    idle.delete(socket);
    busy.set(socket, { requests: requests + 1, since, response });
    if (requests >= pipelined) drop(socket);
  }

  function end(socket: Duplex): void {
    const before = busy.get(socket);
    if (before && before.requests > 1) {
      busy.set(socket, { ...before, requests: before.requests - 1, since: performance.now() });
      return;
    }
    busy.delete(socket);
    if (socket.destroyed) return;
    idle.add(socket);
    if (ended && "destroySoon" in socket) (socket as Socket).destroySoon();
  }

  function watchBody(request: IncomingMessage): void {
    arriving.set(request, request.socket.bytesRead);
    request.once("close", () => arriving.delete(request));
    for (const oldest of arriving.keys()) {
      if (arriving.size <= uploads) return;
      arriving.delete(oldest);
      if (!oldest.complete) drop(oldest.socket);
    }
  }

  /** A connection closed with unread data is reset, and its peer could not read the response. */
  function discardRest(request: IncomingMessage): void {
    arriving.delete(request);
    const late = setTimeout(() => drop(request.socket), lingerMs).unref();
    request.once("close", () => clearTimeout(late));
    request.resume();
  }

  function drop(socket: Duplex): void {
    forget(socket);
    socket.destroy();
  }

  function forget(socket: Duplex): void {
    idle.delete(socket);
    busy.delete(socket);
  }
}

/** RFC 9112, 6.3: a request with neither header has no body, and nothing to watch, which took 3 % of a GET. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/** Node raises its limit of open files to the hard limit when it starts. */
function mostConnections(): number {
  const most = 10_000;
  try {
    const [, files] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return files ? Math.max(1, Math.min(most, Number(files) - SPARE_FILES)) : most;
  } catch {
    return most;
  }
}
