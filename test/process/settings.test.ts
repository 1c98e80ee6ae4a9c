import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { BIN, cleanEnvironment, runBuilt, startProgram } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aFolder } from "../support/lifetime.ts";

/** What `config` prints, by variable. */
function shownBy(stdout: string): Map<string, string> {
  const [, ...lines] = stdout.trimEnd().split("\n");
  return new Map(lines.map((line) => [line.split(" ", 1)[0] ?? "", line.replace(/^\S+ +/, "").replace(/ +/, "  ")]));
}

test("an option wins over the environment, which wins over .env unless it is blank; config prints value and source of each", async (t) => {
  const cwd = aFolder(t);
  const secrets = ["first-secret-of-more-than-32-characters", "second-secret-of-more-than-32-characters"];
  writeFileSync(
    join(cwd, ".env"),
    `# for the laptop
TRANSFER_HTTP_PORT=1111
TRANSFER_DRAIN_SECONDS=7
TRANSFER_LOG_LEVEL="warn"
TRANSFER_CHECKOUT_SECRET=${secrets.join(",")}
DATABASE_URL=postgres://not-ours
`,
  );
  const env = { TRANSFER_HTTP_PORT: "2222", TRANSFER_LOG_LEVEL: "error", TRANSFER_DRAIN_SECONDS: " " };
  const { code, stdout, stderr } = await runCommand(t, ["config", "--port", "3333"], env, cwd);
  assert.equal(code, 0, stderr);
  const file = join(cwd, ".env");
  const shown = shownBy(stdout);
  for (const [name, value] of Object.entries({
    HTTP_PORT: "3333  --port",
    LOG_LEVEL: "error  environment",
    DRAIN_SECONDS: `7  ${file}`,
    CHECKOUT_SECRET: `********  ${file}`,
    CHECKOUT_URL: "http://127.0.0.1:3333/checkout  default",
    REDIS_URL: "none  default",
  }))
    assert.equal(shown.get(`TRANSFER_${name}`), value);
  assert.ok(stderr.startsWith(`settings of ${file}: `), stderr);
  const named = stderr.match(/TRANSFER_\w+/g) ?? [];
  assert.deepEqual(named.map((name) => name.slice("TRANSFER_".length)).sort(), [
    "CHECKOUT_SECRET",
    "DRAIN_SECONDS",
    "HTTP_PORT",
    "LOG_LEVEL",
  ]);
  for (const secret of [...secrets, "not-ours"]) assert.ok(!`${stdout}${stderr}`.includes(secret), secret);
});

test("a mistake in .env names the file, a misspelled variable its neighbor, and any other is unknown", async (t) => {
  const cwd = aFolder(t);
  writeFileSync(join(cwd, ".env"), "TRANSFER_HTTP_PROT=1\nTRANSFER_LOG_LEVEL=loud\n");
  const wrong = await runCommand(t, ["prices"], {}, cwd);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /\nTRANSFER_LOG_LEVEL \(\S+\/\.env\) is "loud"; allowed: fatal, [^\n]*\n$/);
  const misspelled = await runCommand(t, ["config", "--log-level", "warn"], { TRANSFER_TOKEN: "x" }, cwd);
  assert.equal(misspelled.code, 0);
  assert.match(misspelled.stderr, /^warning: unknown setting TRANSFER_HTTP_PROT; did you mean TRANSFER_HTTP_PORT\?$/m);
  assert.match(misspelled.stderr, /^warning: unknown setting TRANSFER_TOKEN; see transfer-quote-mcp config$/m);
});

test("a folder named .env is no settings file, and stdio reads none", async (t) => {
  const cwd = aFolder(t);
  mkdirSync(join(cwd, ".env"));
  assert.deepEqual((await runCommand(t, ["config"], {}, cwd)).stderr, "");
  const other = aFolder(t);
  writeFileSync(join(other, ".env"), "TRANSFER_LOG_LEVEL=loud\n");
  const { code, stderr } = await runBuilt(t, ["--log-level", "warn"], {}, "", { cwd: other });
  assert.deepEqual([code, stderr], [0, ""]);
});

const noScript = spawnSync("script", ["--version"]).error && "there is no script(1) here";
test("at a terminal the welcome fits 80 columns and is in one piece", { skip: noScript }, async (t) => {
  const settings = { TRANSFER_HTTP_PORT: "0", TRANSFER_DATA_DIR: aFolder(t), TRANSFER_LOG_LEVEL: "trace" };
  const command = `'${process.execPath}' '${BIN}' serve`;
  const options = { cwd: aFolder(t), env: cleanEnvironment(settings) };
  const { says, kill } = startProgram(["script", "-qefc", command, "/dev/null"], options);
  t.after(() => kill());
  const [printed] = await says(/^[\s\S]*transfer-quote-mcp is ready[\s\S]*"luggage":2\}'/);
  const [before = "", welcome = ""] = printed.replaceAll("\r", "").split(/(?<=\n)(?=.*transfer-quote-mcp is ready)/);
  assert.doesNotMatch(before, /"serving"/);
  for (const line of welcome.split("\n")) {
    assert.ok(line.length <= 80, line);
    assert.doesNotMatch(line, /^\{|"level"/);
  }
  assert.match(welcome, /is ready\.\S* Ctrl\+C ends it\.\n\n {2}Front page {2}http:\/\/\S+\/\n/);
  assert.match(welcome, /client_secret \S{30,}\n[\s\S]*Authorization: Bearer /);
});

test("colors are for a terminal without NO_COLOR", { skip: noScript }, async (t) => {
  const command = `'${process.execPath}' '${BIN}' quote Bern Chur`;
  const colored = async (settings: Record<string, string>) => {
    const env = cleanEnvironment({ TRANSFER_DATA_DIR: aFolder(t), TERM: "xterm-256color", ...settings });
    const { stdout } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], { env });
    assert.match(stdout, /Bern → Chur/);
    return stdout.includes("\u001b[");
  };
  assert.equal(await colored({}), true);
  assert.equal(await colored({ NO_COLOR: "1" }), false);
});
