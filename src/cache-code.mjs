// A step of `bundle.mjs`: the chunk that every start needs becomes a script that runs with V8's compiled code of an
// earlier run (`ops/run-cached.ts`), which is made here by a first quote over stdio. `cli.cjs` runs it without Node's loader
// of ES modules, which was a tenth of the CPU time of a start.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build, transform } from "esbuild";

/** V8 forgets who imports for code that it has compiled at an earlier run: `runCached` says it. */
const BANNER = `const __url = require("node:url").pathToFileURL(__filename).href;
const __import = module.import ?? ((name) => import(name));`;

/** `outputs` are those of esbuild's metafile, `start` are the files of the chunk that is meant. */
export async function cacheCode({ root, outputs, start }) {
  const [chunk, { exports: names }] = Object.entries(outputs).find(([, { inputs }]) => inputs[start[0]]);
  const chunks = join(root, chunk, "..");
  const script = basename(chunk).replace(/\.js$/, ".cjs");
  const bundled = readFileSync(join(root, chunk), "utf8").replace(/^import \{ createRequire \}.*$/m, "");
  // In the text, so that esbuild follows it to the sources.
  const sources = readFileSync(join(root, `${chunk}.map`)).toString("base64");
  const inline = `//# sourceMappingURL=data:application/json;base64,${sources}`;
  const { code, map } = await transform(bundled.replace(/^\/\/# sourceMappingURL=.*$/m, inline), {
    format: "cjs",
    platform: "node",
    target: "node20",
    define: { "import.meta.url": "__url" },
    banner: BANNER,
    sourcemap: "external",
    sourcesContent: false,
  });
  const own = Object.keys(outputs).filter((output) => start.includes(outputs[output].entryPoint));
  const imported = own
    .reduce((text, each) => text.replaceAll(`import("./${basename(each)}")`, "Promise.resolve(module.exports)"), code)
    .replaceAll(/(?<=^|[ (])import\("/gm, '__import("');
  writeFileSync(join(chunks, script), `${imported}//# sourceMappingURL=${script}.map\n`);
  writeFileSync(join(chunks, `${script}.map`), map);
  await build({
    stdin: { contents: startOf(script), resolveDir: join(root, "src") },
    outfile: join(chunks, "start.cjs"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  // For the chunks that are loaded later.
  const module = `import { createRequire } from "node:module";
export const { ${names.join(", ")} } = createRequire(import.meta.url)("./start.cjs");
`;
  writeFileSync(join(root, chunk), module);
  rmSync(join(root, `${chunk}.map`));
  writeFileSync(join(root, "dist/src/cli.cjs"), COMMAND_LINE);
  quoteOnce(root);
}

const startOf = (script) => `import { pathToFileURL } from "node:url";
import { runCached } from "./ops/run-cached.ts";
module.exports = runCached(pathToFileURL(\`\${__dirname}/${script}\`));
`;

/** As `cli.ts` does it. */
const COMMAND_LINE = `#!/usr/bin/env node
require("./chunks/start.cjs").main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
`;

/** What this runs is in the cache; the rest is compiled when it is first called. */
function quoteOnce(root) {
  const folder = mkdtempSync(join(tmpdir(), "code-cache-"));
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "build", version: "1" } };
  const pickup = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString();
  const journey = { origin: "Zurich Airport", destination: "Zermatt", pickup_datetime: pickup, passengers: 2 };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "create_transfer_quote", arguments: journey } },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const env = { PATH: process.env.PATH, TRANSFER_DATA_DIR: folder };
  const { status, stderr } = spawnSync(process.execPath, [join(root, "dist/src/cli.cjs")], { input, env });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`the built program does not start: ${stderr}`);
}
