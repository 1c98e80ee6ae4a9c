// The last step of `build`: replaces the compiled command line by a bundle, because resolving and compiling several
// hundred modules was half of the CPU time of a start over stdio. Without this step the program runs as tsc compiled it.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleCard } from "./bundle-card.mjs";
import { cacheCode } from "./cache-code.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What a start over stdio runs. */
const START = ["commands/main.ts", "commands/stdio.ts", "sandbox/sandbox.ts"].map((file) => join(root, "src", file));
const ENTRY = join(root, "src", "cli.ts");

/**
 * Packages that a start needs, the last row over HTTP: resolving and reading their 400 files was a third of its CPU time.
 * The others are loaded from node_modules when first used.
 */
const BUNDLED = new Set([
  ...["@modelcontextprotocol/sdk", "canonicalize", "date-easter", "env-paths", "flatqueue", "ipaddr.js", "jose"],
  ...["leven", "lowdb", "lru-cache", "pino", "zod", "zod-to-json-schema"],
  ...["@opentelemetry/api", "cors", "express", "oidc-provider", "prom-client"],
]);
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const outdir = join(root, "dist", "src");
const chunks = "chunks";

rmSync(join(outdir, chunks), { recursive: true, force: true });
const { metafile } = await build({
  metafile: true,
  entryPoints: [ENTRY],
  outdir,
  chunkNames: `${chunks}/[name]-[hash]`,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: Object.keys(dependencies).filter((name) => !BUNDLED.has(name)),
  plugins: [oneChunkForTheStart(), withoutAjv(), withoutBoundMethods()],
  // CommonJS packages inside ask for Node's modules.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
});
await bundleCard(root);
await cacheCode({ root, outputs: metafile.outputs, start: START.map((file) => relative(root, file)) });
// The reference page's script, which is one file: its package would bring sixteen more.
const explorer = fileURLToPath(import.meta.resolve("openapi-explorer/dist/browser/openapi-explorer.min.js"));
copyFileSync(explorer, join(root, "dist", "openapi-explorer.js"));
writeFileSync(
  join(outdir, chunks, "LICENSES.txt"),
  licensesOf([...Object.keys(metafile.inputs), relative(root, explorer)]),
);

/** The licenses of the packages that these files belong to, which copies must contain. */
function licensesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]);
  const texts = [...new Set(folders.filter(Boolean))].sort().map((folder) => {
    const { name, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
    return `${name} (${license})\n\n${file ? readFileSync(join(root, folder, file), "utf8") : ""}`;
  });
  return texts.join("\n---\n\n");
}

/**
 * esbuild splits by which entry points reach a file: 43 chunks at a start. Here the entry and every file that is imported
 * when first used import the start as well, so that all reach it and it is one chunk: 25 ms of CPU time less.
 */
function oneChunkForTheStart() {
  // The start's own files may be loaded before the import is found that makes them entry points.
  const importing = new Set([ENTRY, ...START]);
  return {
    name: "one chunk for the start",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind === "dynamic-import") importing.add(join(resolveDir, path));
        return undefined;
      });
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!importing.has(path)) return undefined;
        const imports = START.filter((file) => file !== path).map((file) => `import ${JSON.stringify(file)};\n`);
        return { contents: `${readFileSync(path, "utf8")}\n${imports.join("")}`, loader: "ts" };
      });
    },
  };
}

/** The SDK loads ajv to check answers to elicitation, which this server never asks for: 10 ms of CPU time less. */
function withoutAjv() {
  return {
    name: "without ajv",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^ajv(-formats)?$/ }, ({ path }) => ({ path, namespace: "unused" }));
      onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "export default function unused() {}" }));
    },
  };
}

/**
 * Zod 3 binds 24 methods to each schema when it is made, for programs that call them apart from it, which none of ours
 * and of the packages' does.
 */
function withoutBoundMethods() {
  return {
    name: "without bound methods",
    setup({ onLoad }) {
      onLoad({ filter: /zod[\\/]v3[\\/]types\.js$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const contents = text.replaceAll(/^ +this\.(\w+) = this\.\1\.bind\(this\);$/gm, "");
        if (contents === text) throw new Error(`${path} binds no methods any more`);
        return { contents };
      });
    },
  };
}
