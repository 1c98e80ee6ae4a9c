import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { packageRoot } from "../../src/ops/package-root.ts";

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
export function buildImage(folder: string): Image {
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
