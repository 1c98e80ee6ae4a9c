import type { TestContext } from "node:test";
import { createMutex } from "../../src/adapters/stores/store-calls.ts";
import { main } from "../../src/operate/commands/main.ts";
import type { Finished } from "./built-process.ts";
import { aFolder } from "./lifetime.ts";

/** Commands run one at a time, since they share streams and environment. */
const oneAtATime = createMutex();

/**
 * Runs a command to its end in this process, for two fifths of the CPU time of `runBuilt`. Use `runBuilt` only to test
 * how a process starts and ends.
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
  const before = { env: process.env, cwd: process.cwd() };
  const writers = [capture("stdout"), capture("stderr")];
  // Other variables remain, since test files that load meanwhile read the addresses of their services.
  const others = Object.entries(before.env).filter(([name]) => !/^(TRANSFER|OTEL)_/.test(name));
  process.env = { ...Object.fromEntries(others), ...env };
  process.chdir(cwd);
  try {
    const code = await main(args);
    return { ...written, code: code ?? 0 };
  } finally {
    process.env = before.env;
    process.chdir(before.cwd);
    for (const restore of writers) restore();
  }

  function capture(name: "stdout" | "stderr"): () => void {
    const stream = process[name];
    const { write } = stream;
    stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
      // Bytes are reports of the test runner.
      if (typeof chunk !== "string") return Reflect.apply(write, stream, [chunk, ...rest]);
      written[name] += chunk;
      return true;
    };
    return () => {
      stream.write = write;
    };
  }
}
