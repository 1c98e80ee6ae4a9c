import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "./faults.ts";
import type { ServerProcess } from "./server-process.ts";

const CONNECTIONS = 110;
const PIPELINED = 15;
const PATHS = ["/site.css", "/openapi.json", "/api/public/v1/vehicle-classes", "/api/public/v1/quotes/q_unknown"];
const LONG_LIST = 20_000;
const LEVELS = 30_000;
const LARGE = 80 * 1024;

/** Requests that once held a place among the calls in flight for ever, or took a second of CPU time to refuse. */
export function attackFaults(servers: readonly ServerProcess[]): readonly Fault[] {
  return servers.flatMap((server): readonly Fault[] => [
    {
      name: "pipelined requests whose connections close",
      async run(hold) {
        await Promise.all(Array.from({ length: CONNECTIONS }, () => abortPipelined(server.front.port)));
        await hold();
      },
    },
    {
      name: "bodies at their limits",
      async run(hold) {
        const bodies = [
          `{"waypoints":[${"{},".repeat(LONG_LIST)}{}]}`,
          `{"origin":${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}}`,
          `{"origin":"${"x".repeat(LARGE)}"}`,
        ];
        await Promise.allSettled(bodies.map((body) => estimate(server.front.port, body)));
        await hold();
      },
    },
  ]);
}

async function abortPipelined(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  const closed = once(socket, "close");
  const requests = Array.from({ length: PIPELINED }, (_, n) => {
    return `GET ${PATHS[n % PATHS.length]} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer wrong\r\n\r\n`;
  });
  socket.write(requests.join(""));
  await pause(5);
  socket.destroy();
  await closed;
}

async function estimate(port: number, body: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const url = `http://127.0.0.1:${port}/api/public/v1/quote-intents`;
  await (await fetch(url, { method: "POST", headers, body })).text();
}
