// Compiles the tests beside the built program: no process of a run pays for a compiler, and all import what is built.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Writes `dist/test`, with the paths of the sources. */
export async function compileTests(root) {
  const outdir = join(root, "dist", "test");
  rmSync(outdir, { recursive: true, force: true });
  const files = readdirSync(join(root, "test"), { recursive: true }).map(String);
  await build({
    entryPoints: files.filter((file) => /^(?!bench\/).*\.ts$/.test(file)).map((file) => join(root, "test", file)),
    outdir,
    outbase: join(root, "test"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [keepsImports],
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
  });
}

/** Every module stays a file of its own. */
const keepsImports = {
  name: "keeps imports",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/^(\.\.?\/.*)\.ts$/, "$1.js"), external: true },
    );
  },
};
