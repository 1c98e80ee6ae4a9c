import type { TestContext } from "node:test";
import { main } from "../../src/commands/main.ts";
import { createMutex } from "../../src/stores/store-calls.ts";
import type { Finished } from "./built-process.ts";
import { aFolder } from "./temporary-folder.ts";

/** Commands share streams and environment. */
const oneAtATime = createMutex();

/**
 * Runs a command to its end as `runBuilt` does, but in this process, for two fifths of the CPU time. For what a command
 * writes and returns; how a process starts and ends needs `runBuilt`.
 */
export function runCommand(
  t: Pick<TestContext, "after">,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = aFolder(t),
): Promise<Finished> {
  const settings = env.TRANSFER_DATA_DIR ? env : { TRANSFER_DATA_DIR: aFolder(t), ...env };
  return oneAtATime(() => run(args, settings, cwd));
}

async function run(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Finished> {
  const written = { stdout: "", stderr: "" };
  const restored = [capture("stdout"), capture("stderr"), environment(env), workingFolder(cwd)];
  try {
    const code = await main(args);
    return { ...written, code: code ?? null };
  } finally {
    for (const restore of restored) restore();
  }

  function capture(name: "stdout" | "stderr"): () => void {
    const stream = process[name];
    const { write } = stream;
    stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      // What the test runner reports meanwhile is bytes.
      if (typeof chunk !== "string") return Reflect.apply(write, stream, [chunk, ...rest]);
      written[name] += chunk;
      return true;
    };
    return () => {
      stream.write = write;
    };
  }
}

function environment(env: Readonly<Record<string, string>>): () => void {
  const before = process.env;
  // Files that are loaded meanwhile ask for the services of the tests.
  const others = Object.entries(before).filter(([name]) => !/^(TRANSFER|OTEL)_/.test(name));
  process.env = { ...Object.fromEntries(others), ...env };
  return () => {
    process.env = before;
  };
}

function workingFolder(folder: string): () => void {
  const before = process.cwd();
  process.chdir(folder);
  return () => process.chdir(before);
}
