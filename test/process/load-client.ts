import { connect, type Socket } from "node:net";

/**
 * Sends one and the same request over many connections, each as soon as the last is answered, without heeding
 * Retry-After. Raw sockets, so that what is measured is the server and not a client. Arguments: port, connections,
 * milliseconds in all and before times are noted (the start is a burst, and bursts are served), and the request's text;
 * on stdout a `LoadReport`.
 */
export interface LoadReport {
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** 503 that carry no `Retry-After: 1` or no X-Request-Id. */
  readonly malformed: number;
  /** Connections that the server closed. */
  readonly closed: number;
  /** Of the accepted, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const [port = 0, connections = 0, milliseconds = 0, settling = 0] = process.argv.slice(2, 6).map(Number);
const request = Buffer.from(process.argv[6] ?? "");
const settled = performance.now() + settling;
const end = performance.now() + milliseconds;
const statuses: Record<string, number> = {};
const accepted: number[] = [];
let malformed = 0;
let closed = 0;

await Promise.all(Array.from({ length: connections }, keepAsking));
accepted.sort((a, b) => a - b);
const report: LoadReport = { statuses, malformed, closed, p50: quantile(0.5), p99: quantile(0.99) };
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
  socket.write(request);
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
    if (text.length < head + 4 + length) return;
    count(text.slice(0, head), performance.now() - sent);
    text = "";
    if (performance.now() >= end) return void socket.destroy();
    sent = performance.now();
    socket.write(request);
  });
  socket.on("end", () => {
    closed += 1;
  });
}

function count(head: string, took: number): void {
  const status = head.slice(9, 12);
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (/^20[01]$/.test(status) && performance.now() > settled) accepted.push(took);
  if (status === "503" && !(/\r\nretry-after: 1\r\n/i.test(head) && /\r\nx-request-id: req_/i.test(head)))
    malformed += 1;
}

function quantile(share: number): number {
  return accepted[Math.floor(accepted.length * share)] ?? Number.NaN;
}
