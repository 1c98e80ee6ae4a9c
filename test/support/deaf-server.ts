import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** Listens for one connection in its queue, and then never looks at it again. */
const DEAF = `
const server = require("node:net").createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  require("node:fs").writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** A port whose queue of connections is full: the next one is neither accepted nor refused. Linux only. */
export async function aDeafServer(t: Pick<TestContext, "after">): Promise<number> {
  const child = spawn(process.execPath, ["-e", DEAF], { stdio: ["ignore", "pipe", "inherit"] });
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    child.kill("SIGKILL");
  });
  const [data] = await once(child.stdout, "data");
  const port = Number(String(data));
  for (let n = 0; n < 8; n += 1) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
  }
  await once(sockets[0] ?? child, "connect");
  return port;
}
