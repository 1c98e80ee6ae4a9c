import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { startProgram } from "./built-process.ts";
import { aFolder, until } from "./lifetime.ts";
import { aFreePort } from "./machines.ts";

/** Why tests of nginx are skipped, or false. */
export const noNginx = spawnSync("nginx", ["-v"]).error ? "nginx is not installed" : false;

/** nginx with the documented configuration, but for addresses and paths, in front of these ports; with TLS where it has these files. */
export async function startNginx(
  t: Pick<TestContext, "after">,
  [first, second]: readonly number[],
  tls?: { readonly key: string; readonly certificate: string },
) {
  const folder = aFolder(t);
  const port = await aFreePort();
  const documented = readFileSync(join(packageRoot, "docs/operations/nginx.conf"), "utf8");
  const own = documented
    .replace("127.0.0.1:3001", `127.0.0.1:${first}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${second}`)
    .replaceAll(/^ +ssl_.*$/gm, "")
    .replace(
      "listen 443 ssl;",
      `listen 127.0.0.1:${port}${tls ? ` ssl; ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key}` : ""};`,
    )
    .replaceAll("/var/log/nginx", folder)
    .replace("http {", `http {\n  client_body_temp_path ${folder}/body;`);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `daemon off;\npid ${folder}/nginx.pid;\n${own}`);
  const nginx = startProgram(["nginx", "-e", `${folder}/error.log`, "-p", folder, "-c", file]);
  t.after(() => nginx.kill("SIGQUIT"));
  const publicUrl = `${tls ? "https" : "http"}://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${publicUrl}/healthz`).catch(() => undefined)) !== undefined, "nginx answers");
  return {
    publicUrl,
    port,
    logs: () => ["access.log", "error.log"].map((name) => readFileSync(join(folder, name), "utf8")),
  };
}
