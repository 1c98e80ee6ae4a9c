import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface HttpServer {
  /** The port it got, also where 0 was asked for. */
  readonly port: number;
  /** Answers requests from now on, and those that came before. */
  serve(listener: RequestListener, refuse?: RefuseBroken): void;
  /** Takes no more requests, lets those under way finish within `graceMilliseconds`, then cuts them off. */
  close(graceMilliseconds: number): Promise<void>;
}

/**
 * The raw HTTP answer to what Node's parser refuses before there is a request: 400 broken, 408 too slow, 431 headers too
 * large.
 */
export type RefuseBroken = (status: 400 | 408 | 431) => string;

/** Listens on an address. Rejects where that is taken or not allowed. */
export async function listen(host: string, port: number): Promise<HttpServer> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 });
  const connections = trackConnections(server);
  const early: [IncomingMessage, ServerResponse][] = [];
  let answer: RequestListener = (...call) => early.push(call);
  server.on("request", (request, response) => {
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
    serve(listener, refuse) {
      answer = listener;
      server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
        // An answer under way must not get another in its midst.
        const isAnswerable = socket.writable && error.code !== "ECONNRESET" && !connections.isBusy(socket);
        if (!isAnswerable) return void socket.destroy();
        socket.end(refuse?.(BROKEN_STATUS[error.code ?? ""] ?? 400) ?? "HTTP/1.1 400 Bad Request\r\n\r\n");
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
}

const BROKEN_STATUS: Readonly<Record<string, 408 | 431>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Knows which connections carry a request. Node's own `closeIdleConnections` leaves open what has not sent a request yet
 * (browsers connect ahead) and what falls idle later.
 */
function trackConnections(server: Server) {
  const requests = new Map<Duplex, number>();
  let ending = false;
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    socket.once("close", () => requests.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once("close", () => {
      count(socket, -1);
      if (ending && requests.get(socket) === 0) socket.destroySoon();
    });
  });
  return {
    get ending() {
      return ending;
    },
    isBusy: (socket: Duplex) => (requests.get(socket) ?? 0) > 0,
    end() {
      ending = true;
      for (const [socket, underWay] of requests) if (underWay === 0) socket.destroy();
    },
  };

  function count(socket: Duplex, change: number): void {
    const underWay = requests.get(socket);
    if (underWay !== undefined) requests.set(socket, underWay + change);
  }
}
