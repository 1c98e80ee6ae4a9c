// A step of `build`: makes one HTML document of the quote card's page, which a host shows without loading anything.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

export async function bundleCard(root) {
  const folder = join(root, "src", "mcp", "quote-card");
  const { outputFiles } = await build({
    entryPoints: [join(folder, "main.js"), join(folder, "card.css")],
    outdir: join(root, "dist"),
    absWorkingDir: root,
    write: false,
    bundle: true,
    minify: true,
    charset: "utf8",
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  });
  const textOf = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text.trim();
  const page = readFileSync(join(folder, "card.html"), "utf8")
    .replace('<link rel="stylesheet" href="card.css">', () => `<style>${textOf(".css")}</style>`)
    .replace('<script type="module" src="main.js"></script>', () => `<script type="module">${textOf(".js")}</script>`);
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(join(root, "dist", "quote-card.html"), page);
}
