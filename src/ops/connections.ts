import { readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface ConnectionLimits {
  /**
   * Open at the same time; one more closes that which has been idle longest. There is no limit for each address: behind
   * a proxy all callers have one. Default 10,000, or fewer where the system allows fewer open files.
   */
  readonly connections?: number;
  /** Bodies arriving at the same time; one more cuts off the oldest. With the largest body, 64 MiB. Default 512. */
  readonly uploads?: number;
  /** Bytes of one body, as they come over the wire; more is answered 413 at the next look. Default 1 MiB. */
  readonly bodyBytes?: number;
  /** Requests on one connection that wait for their answers; one more cuts it off. Default 16. */
  readonly pipelined?: number;
  /** Milliseconds without an answer taken, on a connection that waits for one: the peer reads nothing. Default 60,000. */
  readonly answerMs?: number;
  /** Milliseconds in which the rest of a request that has been answered is read and thrown away. Default 2,000. */
  readonly lingerMs?: number;
  /** Milliseconds between two looks at the clock. Default 1,000. */
  readonly checkMs?: number;
}

/** Ends a connection, with an answer of this status where none has begun. */
type Refuse = (socket: Duplex, status: 413) => void;

interface Busy {
  readonly requests: number;
  /** No answer has been taken since. */
  readonly since: number;
  /** To the latest request. */
  readonly response: ServerResponse;
}

/** For the store's files, the log, the database and whatever else needs one. */
const SPARE_FILES = 256;

/**
 * Knows which connections carry a request and closes those that would hold what others need. Node's own
 * `closeIdleConnections` leaves open what has not sent a request yet (browsers connect ahead) and what falls idle later.
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
  let ending = false;

  server.on("connection", (socket: Socket) => {
    idle.add(socket);
    socket.once("close", () => forget(socket));
    if (idle.size + busy.size <= connections) return;
    for (const longestIdle of idle) return drop(longestIdle);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // What the parser still had of a connection that was cut off.
    if (socket.destroyed) return;
    begin(socket, response);
    watchBody(request);
    response.once("finish", () => {
      if (!request.complete) discardRest(request);
    });
    response.once("close", () => end(socket));
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
    get ending() {
      return ending;
    },
    /** An answer under way must not get another in its midst. */
    isAnswerable(socket: Duplex) {
      const { requests = 0, response } = busy.get(socket) ?? {};
      return requests === 0 || (requests === 1 && !response?.headersSent);
    },
    end() {
      ending = true;
      for (const socket of idle) drop(socket);
    },
    /** Closes a connection after what was written to it, and at last when its peer does not take that. */
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
    if (ending && "destroySoon" in socket) (socket as Socket).destroySoon();
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

  /** So that the peer can read its answer: a connection closed with data unread is reset. */
  function discardRest(request: IncomingMessage): void {
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

/** Node raises its own limit of open files as far as it may when it starts. */
function mostConnections(): number {
  const most = 10_000;
  try {
    const [, files] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return files ? Math.max(1, Math.min(most, Number(files) - SPARE_FILES)) : most;
  } catch {
    return most;
  }
}
