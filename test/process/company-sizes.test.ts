import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { packageRoot } from "../../src/ops/package-root.ts";
import { BIN, cleanEnvironment } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/lifetime.ts";
import { aFreePort } from "../support/machines.ts";
import { connected } from "../support/mcp-client.ts";
import { noNginx } from "../support/nginx.ts";
import { asking, withPostgres } from "../support/postgres.ts";
import { aDatabase, withRedis } from "../support/redis.ts";

const WAITS = { timeout: 120_000 };
const DOCS = "docs/operations";
const postgresUrl = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/test";
const { hostname, port, username, pathname } = new URL(postgresUrl);

/** The blocks of a page, in order. */
function blocksOf(page: string, language = "sh"): readonly string[] {
  const text = readFileSync(join(packageRoot, DOCS, page), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, block = ""]) => block,
  );
}

suite("the pages for each size of company are commands that run", () => {
  test("a laptop", WAITS, async (t) => {
    const machine = await aMachine(t);
    const [setUp = "", monthly = ""] = blocksOf("laptop.md");
    assert.match(await machine.run(setUp), /Transfer \d+ km/);
    const [config = ""] = blocksOf("laptop.md", "json");
    const { command, args } = JSON.parse(config.replace("/home/you", machine.home)).mcpServers["transfer-quote"];
    const transport = new StdioClientTransport({ command: join(machine.bin, command), args, env: machine.env });
    const { client, value } = await connected(t, transport);
    const quote = await value("create_transfer_quote", aRealJourney());
    await client.close();
    assert.match(await machine.run(`${monthly}cat sales.csv`), new RegExp(`^${quote.quote_id},`, "m"));
  });

  test("one process", { skip: noNginx, ...WAITS }, async (t) => {
    const machine = await aMachine(t);
    const output = await machine.run(blocksOf("one-process.md").join("\n"));
    for (const said of [/sign-in +WARNING +0 credentials/, /^client_secret +\S+/m, /"status":"open"/, /uses catalog /])
      assert.match(output, said);
    assert.match(output, /^zurich-airport-to-davos +1 /m);
    assert.match(output, /tariff own-1 → own-1/);

    const backup = blocksOf("deployment.md").find((block) => block.includes("backup.sh")) ?? "";
    const files = await machine.run(`${backup}tar -tzf quotes.backup`);
    assert.match(files, /issuer/);
    await machine.run("certbot renew\ncurl -s --retry 5 --retry-all-errors https://quotes.example.com/healthz");
  });
});

await withPostgres("two and more processes", () =>
  withRedis("two and more processes", () => {
    test("two and more processes, restarted one after the other", { skip: noNginx, ...WAITS }, async (t) => {
      const name = `test_${randomBytes(6).toString("hex")}`;
      const machine = await aMachine(t, { transfer_quote: name, "redis://127.0.0.1:6379": await aDatabase(t) });
      t.after(async () => {
        await asking(postgresUrl, `DROP DATABASE ${name} WITH (FORCE)`);
        await asking(postgresUrl, `DROP ROLE ${name}`);
      });
      const [system = "", user = ""] = blocksOf("one-process.md");
      const output = await machine.run([system, user, ...blocksOf("several-processes.md")].join("\n"));
      assert.match(output, /migrates the database \(001-/, "check names what a start makes");
    });
  }),
);

/** A folder that stands in for a machine: its paths, its root's programs, and the package. */
async function aMachine(t: TestContext, names: Readonly<Record<string, string>> = {}) {
  let root = "";
  // Registered before the removal of the folder, so that it runs first.
  t.after(() => {
    const files = readdirSync(root).filter((name) => name.endsWith(".pid"));
    for (const file of files) spawnSync("kill", [readFileSync(join(root, file), "utf8").trim()]);
  });
  root = aFolder(t);
  const [bin, packaged, home] = [join(root, "bin"), join(root, "package"), join(root, "home")];
  const ports = { "3001": await aFreePort(), "3002": await aFreePort(), "443": await aFreePort() };
  const here = (text: string) =>
    Object.entries(names)
      .reduce((all, [name, own]) => all.replaceAll(name, own), text)
      .replaceAll("https://quotes.example.com", `https://127.0.0.1:${ports["443"]}`)
      .replaceAll("quotes.example.com", "127.0.0.1")
      .replaceAll(/\/(etc|var)\//g, `${root}/$1/`)
      .replaceAll(/\b300[12]\b/g, (port) => `${ports[port as "3001"]}`);
  for (const folder of [bin, home, join(packaged, DOCS)]) mkdirSync(folder, { recursive: true });
  for (const folder of ["etc/nginx", "etc/systemd/system", "var/log/nginx", "var/lib"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ["nginx.conf", "transfer-quote.service", "backup.sh"])
    writeFileSync(join(packaged, DOCS, file), here(readFileSync(join(packageRoot, DOCS, file), "utf8")), {
      mode: 0o755,
    });
  const nginx = `nginx -p ${root} -c ${root}/etc/nginx/nginx.conf -e ${root}/nginx.log`;
  const conf = join(packaged, DOCS, "nginx.conf");
  const own = readFileSync(conf, "utf8")
    .replace("listen 443", `listen 127.0.0.1:${ports["443"]}`)
    .replace("http {", `http {\n  client_body_temp_path ${root}/body;`);
  writeFileSync(conf, `pid ${root}/nginx.pid;\n${own}`);
  const certificate = `${root}/etc/letsencrypt/live/transfer-quote`;
  const service = `${root}/etc/systemd/system/transfer-quote@.service`;
  /** What the commands of root do on a real machine. */
  const programs = {
    "transfer-quote-mcp": `exec '${process.execPath}' '${BIN}' "$@"`,
    useradd: `mkdir -p ${root}/var/lib/transfer-quote`,
    // The hook follows each certificate: the first, and those of a renewal, which nobody asks for.
    certbot: `mkdir -p ${certificate}; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \\
      -keyout ${certificate}/privkey.pem -out ${certificate}/fullchain.pem -subj /CN=127.0.0.1 \\
      -addext subjectAltName=IP:127.0.0.1 2> /dev/null
      while [ $# -gt 0 ]; do if [ "$1" = --deploy-hook ]; then echo "$2" > ${root}/hook; fi; shift; done
      bash ${root}/hook`,
    sudo: `shift 2; exec "$@"`,
    systemctl: `for unit in "$@"; do case $unit in
      nginx) case $1 in
        stop) if [ -f ${root}/nginx.pid ]; then ${nginx} -s quit; fi ;;
        *) if [ -f ${root}/nginx.pid ]; then ${nginx} -s reload; else ${nginx}; fi ;;
        esac ;;
      transfer-quote@*) port=\${unit#*@}
        if [ -f ${root}/$port.pid ]; then kill "$(cat ${root}/$port.pid)"; while kill -0 "$(cat ${root}/$port.pid)" 2> /dev/null; do sleep 0.1; done; fi
        cd "$(sed -n 's/^WorkingDirectory=//p' ${service})"
        HOME=$PWD nohup $(sed -n 's/^ExecStart=//p' ${service} | sed "s/%i/$port/") > ${root}/$port.log 2>&1 &
        echo $! > ${root}/$port.pid ;;
      esac; done`,
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = cleanEnvironment({
    ...{
      HOME: home,
      PATH: `${bin}:${process.env.PATH}:/usr/sbin`,
      TRANSFER_LOG_LEVEL: "warn",
      TRANSFER_DRAIN_SECONDS: "0",
    },
    ...{
      CURL_CA_BUNDLE: `${certificate}/fullchain.pem`,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
      PGDATABASE: pathname.slice(1),
    },
  });
  return {
    bin,
    home,
    env,
    /** Runs blocks in one shell; `cd ~` is the folder of the server's user, any other block runs in the package's. */
    async run(script: string): Promise<string> {
      const text = here(script).replaceAll(/^cd ~$/gm, `cd ${root}/var/lib/transfer-quote`);
      const shell = [
        "--norc",
        "-euo",
        "pipefail",
        "-c",
        `cd ${packaged}\n${text.replaceAll(" docs/", ` ${packaged}/docs/`)}`,
      ];
      return (await promisify(execFile)("bash", shell, { env })).stdout;
    },
  };
}
