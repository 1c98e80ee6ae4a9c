#!/usr/bin/env node
import nodeModule from "node:module";
import envPaths from "env-paths";

/** Node 20 has no cache of compiled code. */
type Cached = typeof nodeModule & { enableCompileCache?: (folder: string) => unknown };

// A start over stdio takes 40 ms less with compiled code (Node 24). The folder belongs to the user, since whoever can
// write there can change the code. Without write access nothing is cached.
(nodeModule as Cached).enableCompileCache?.(envPaths("transfer-quote-mcp", { suffix: "" }).cache);
const { main } = await import("./operate/commands/main.ts");

/** As a shell reports a program that SIGPIPE has ended: what nobody has read is no success. */
const SIGPIPE_EXIT_CODE = 128 + 13;

// Nobody reads the output any more, as with `check | head`. Servers, which have to close first, do otherwise.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(SIGPIPE_EXIT_CODE);
  });
process.exitCode = await main(process.argv.slice(2));
