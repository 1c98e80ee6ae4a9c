import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder, wholeFile } from "../support/lifetime.ts";
import { anMcpHost } from "../support/mcp-client.ts";

/** There is no Docker where tests run: the lines of the Dockerfile are followed without it. */
const WAITS = { timeout: 120_000 };
const image = buildImage(aFolder(wholeFile));
const own = { TRANSFER_HTTP_HOST: "127.0.0.1", TRANSFER_HTTP_PORT: "0", TRANSFER_DATA_DIR: aFolder(wholeFile) };

test("the image serves every page, and what the pages load", WAITS, async (t) => {
  assert.deepEqual(image.args, ["serve"]);
  const server = await startBuiltServer(t, { ...image.env, ...own }, { program: [image.program] });
  const seen = new Set<string>();
  const left = ["/", "/docs", "/docs/errors", "/docs/sandbox", "/privacy", "/support", "/checkout/", "/favicon.ico"];
  for (let path = left.pop(); path !== undefined && seen.size < 100; path = left.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status, url, text } = await opened(server.publicUrl + path);
    assert.equal(status, 200, path);
    const links = [/\b(?:href|src)="([^"#:]+)[#"]/g, /(?:\bfrom |\bimport )"(\.\.?\/[^"]+)"/g];
    for (const [, address = ""] of links.flatMap((link) => [...text.matchAll(link)]))
      left.push(new URL(address, url).pathname);
  }
  for (const path of ["/docs/reference.js", "/site.css", "/logo", "/openapi.json"])
    assert.ok(seen.has(path), `${path} of ${[...seen]}`);
  const page = await opened(`${server.publicUrl}/checkout`);
  const [, script = ""] = /src="(\/checkout\/page-\w+\.js)"/.exec(page.text) ?? [];
  assert.equal((await fetch(server.publicUrl + script)).status, 200, page.text);
});

test("the image quotes over stdio", WAITS, async (t) => {
  const { client, value } = await anMcpHost(t, { ...image.env, ...own, TRANSFER_DATA_DIR: aFolder(t) }, [
    image.program,
    "stdio",
  ]);
  assert.equal((await value("create_transfer_quote", aRealJourney())).status, "open");
  const { contents } = await client.readResource({ uri: "ui://transfer-quote/card" });
  assert.ok(contents.length > 0);
});

async function opened(address: string) {
  const response = await fetch(address);
  return { status: response.status, url: response.url, text: await response.text() };
}

interface Image {
  readonly env: Readonly<Record<string, string>>;
  /** Path of the script that ENTRYPOINT runs. */
  readonly program: string;
  /** What CMD gives it. */
  readonly args: readonly string[];
}

/**
 * What a build of the Dockerfile would hold, made in `folder` without Docker from the Dockerfile's own lines: COPY copies
 * from the repository or an earlier stage, and `npm ci` links the installed packages. What else the last stage runs
 * needs root.
 */
function buildImage(folder: string): Image {
  const text = readFileSync(join(packageRoot, "Dockerfile"), "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ");
  const [, ...stages] = text.split(/^FROM /m);
  let workdir = "/";
  let env: Record<string, string> = {};
  const found: Record<string, readonly string[]> = {};
  let root = folder;
  for (const [number, stage] of stages.entries()) {
    const [from = "", ...lines] = stage
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    const [, name = String(number)] = / AS (\w+)$/.exec(from) ?? [];
    root = join(folder, name);
    env = {};
    for (const line of lines) follow(line, number === stages.length - 1);
  }
  const [command, script = ""] = found.ENTRYPOINT ?? [];
  if (command !== "node") throw new Error(`the image starts ${command}`);
  return { env, program: join(root, workdir, script), args: found.CMD ?? [] };

  function follow(line: string, isLast: boolean): void {
    const [, instruction = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === "WORKDIR") {
      workdir = rest;
      mkdirSync(join(root, workdir), { recursive: true });
    } else if (instruction === "ENV") {
      env = Object.fromEntries(rest.split(/\s+/).map((each) => each.split("=")));
    } else if (instruction === "COPY") copy(rest.split(/\s+/));
    else if (instruction === "RUN" && !isLast) runIn(join(root, workdir), rest);
    else if (instruction === "ENTRYPOINT" || instruction === "CMD") found[instruction] = JSON.parse(rest);
  }

  function copy(words: readonly string[]): void {
    const [, stage] = /^--from=(\w+)$/.exec(words[0] ?? "") ?? [];
    const paths = stage === undefined ? words : words.slice(1);
    const target = join(root, workdir, paths.at(-1) ?? "");
    for (const path of paths.slice(0, -1)) {
      const source = join(stage === undefined ? packageRoot : join(folder, stage), path);
      const isFile = statSync(source).isFile() && (paths.length > 2 || existsSync(target));
      cpSync(source, isFile ? join(target, basename(source)) : target, { recursive: true, verbatimSymlinks: true });
    }
  }
}

function runIn(folder: string, commands: string): void {
  for (const command of commands.split(" && ")) {
    if (command.startsWith("npm ci")) symlinkSync(join(packageRoot, "node_modules"), join(folder, "node_modules"));
    else execFileSync("sh", ["-c", command], { cwd: folder, stdio: "pipe" });
  }
}
