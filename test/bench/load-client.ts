import { connect, type Socket } from "node:net";
import { json } from "node:stream/consumers";

/**
 * Sends requests in turn over many connections, each as soon as the last response is complete, ignoring Retry-After.
 * Raw sockets, so that the server is measured rather than a client. Arguments: port, connections, milliseconds in
 * total, milliseconds before times count. Reads the texts of the requests as a JSON list, and prints a `LoadReport`.
 */
export interface LoadReport {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Accepted calls. */
  readonly perSecond: number;
  /** Milliseconds until accepted calls were answered. */
  readonly p50: number;
  readonly p99: number;
}

const [port = 0, connections = 0, milliseconds = 0, settling = 0] = process.argv.slice(2, 6).map(Number);
const requests = ((await json(process.stdin)) as readonly string[]).map((text) => Buffer.from(text));
let next = 0;
const settled = performance.now() + settling;
const end = performance.now() + milliseconds;
const statuses: Record<string, number> = {};
const accepted: number[] = [];
/** Frameworks that do not know the length of what they send. */
const LAST_CHUNK = "\r\n0\r\n\r\n";

await Promise.all(Array.from({ length: connections }, keepAsking));
accepted.sort((a, b) => a - b);
const perSecond = (accepted.length * 1000) / (milliseconds - settling);
const report: LoadReport = { statuses, perSecond, p50: quantile(0.5), p99: quantile(0.99) };
process.stdout.write(JSON.stringify(report));

async function keepAsking(): Promise<void> {
  while (performance.now() < end) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.on("close", () => resolve());
      socket.on("connect", () => ask(socket));
    });
  }
}

function ask(socket: Socket): void {
  let sent = performance.now();
  let text = "";
  socket.write(nextRequest());
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (length === undefined ? !text.endsWith(LAST_CHUNK) : text.length < head + 4 + Number(length)) return;
    count(text.slice(0, head), performance.now() - sent);
    text = "";
    if (performance.now() >= end) return void socket.destroy();
    sent = performance.now();
    socket.write(nextRequest());
  });
}

function nextRequest(): Buffer {
  next += 1;
  return requests[next % requests.length] ?? Buffer.alloc(0);
}

function count(head: string, took: number): void {
  const status = head.slice(9, 12);
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (/^20[01]$/.test(status) && performance.now() > settled) accepted.push(took);
}

function quantile(share: number): number {
  return accepted[Math.floor(accepted.length * share)] ?? Number.NaN;
}
