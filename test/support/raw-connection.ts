import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** A connection of an untrusted client. It stays half open when the server closes its side; its errors are ignored. */
export async function aConnection(
  t: Pick<TestContext, "after">,
  port: number | string,
  heard?: (text: string) => void,
): Promise<Socket> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  await new Promise<void>((resolve) => socket.once("connect", resolve).once("close", () => resolve()));
  if (heard) socket.on("data", (chunk) => heard(chunk.toString("latin1")));
  return socket;
}

/** Everything that the server sends until it closes the connection. */
export async function answerTo(
  t: Pick<TestContext, "after">,
  port: number | string,
  sent: string | Buffer,
): Promise<string> {
  let answer = "";
  const socket = await aConnection(t, port, (text) => {
    answer += text;
  });
  const end = ended(socket);
  socket.write(sent);
  await end;
  return answer;
}

/** Resolves when the server has closed its side, or the connection is broken. */
export function ended(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.resume().once("end", resolve).once("close", resolve);
  });
}
