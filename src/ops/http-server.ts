import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpServer {
  /** The port it got, also where 0 was asked for. */
  readonly port: number;
  /** Answers requests from now on. */
  serve(listener: RequestListener): void;
  /** Takes no more requests, lets those under way finish within `graceMilliseconds`, then cuts them off. */
  close(graceMilliseconds: number): Promise<void>;
}

/** Listens on an address. Rejects where that is taken or not allowed. */
export async function listen(host: string, port: number): Promise<HttpServer> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 });
  let ending = false;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    serve: (listener) => {
      server.on("request", (request, response) => {
        // A connection kept alive would keep the process alive too.
        if (ending) response.setHeader("Connection", "close");
        listener(request, response);
      });
    },
    async close(graceMilliseconds) {
      ending = true;
      await closed(server, graceMilliseconds);
    },
  };
}

async function closed(server: Server, graceMilliseconds: number): Promise<void> {
  const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cutOff);
}
