// Builds `dist`, which holds all that runs and needs nothing beside it: the program in one ES module for each part that
// is loaded on its own, the files that it reads, the quote card, and the licenses of the packages inside.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const card = join(root, "src/servers/mcp/quote-card");
const travelerPage = join(root, "src/service/checkout/page");

/** The words of page and card by language. */
const texts = join(root, "src/service/checkout/texts");
const languages = readdirSync(texts).map((file) => [
  parse(file).name,
  JSON.parse(readFileSync(join(texts, file), "utf8")),
]);

/** Files that the program reads while it runs, at the same path in `dist`. */
const READ = [
  ...["fixtures", "rest-shim/site/browser/reference.css", "rest-shim/site/front-page.html", "rest-shim/site/llms.txt"],
  ...["base.css", "site.css", "favicon.svg"].map((file) => `src/servers/http/site/${file}`),
  "LICENSE",
];

/** How scripts and styles of pages are bundled, which `write: false` leaves to this script to write. */
const IN_BROWSERS = {
  outdir: dist,
  write: false,
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  logLevel: "warning",
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const { metafile } = await build({
  // The processes that read a catalog and a calendar are programs of their own.
  entryPoints: {
    cli: "src/cli.ts",
    "catalog-reader": "src/operate/compose/catalog-reader.ts",
    "calendar-reader": "src/adapters/availability/calendar-reader.ts",
  },
  outdir: dist,
  chunkNames: "parts/[name]-[hash]",
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  metafile: true,
  // Its UMD build, which Node loads, asks for its other files at run time.
  alias: { "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js") },
  // A start over stdio takes 590 ms of CPU time instead of 640 (Node 24). Names stay, for stack traces.
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
  // CommonJS packages inside ask for Node's modules.
  banner: {
    js: 'import { createRequire as forPackages } from "node:module"; const require = forPackages(import.meta.url);',
  },
});
for (const path of READ) cpSync(join(root, path), join(dist, path), { recursive: true });
const { name, version, mcpName, license, type } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
writeFileSync(join(dist, "package.json"), `${JSON.stringify({ name, version, mcpName, license, type })}\n`);
writeFileSync(join(dist, "quote-card.html"), await quoteCard());
const siteScripts = ["rest-shim/site/browser/reference.ts", "src/servers/http/site/copy.ts"];
await build({
  ...IN_BROWSERS,
  entryPoints: siteScripts.map((path) => join(root, path)),
  entryNames: "[name]",
  write: true,
});
writeFileSync(join(dist, "traveler-page.json"), JSON.stringify(await builtTravelerPage()));
writeFileSync(join(dist, "LICENSES.txt"), licensesOf(Object.keys(metafile.inputs)));

/**
 * The traveler's page: its document in each language, which contains the words, the script and the style sheet, which
 * are named after their content, and the words alone, for an operator's own pages. The server fills in what stands between percent signs.
 */
async function builtTravelerPage() {
  const { outputFiles } = await build({
    ...IN_BROWSERS,
    entryPoints: [join(travelerPage, "page.ts"), join(travelerPage, "page.css")],
    entryNames: "[name]-[hash]",
  });
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
  const [script, style] = [".js", ".css"].map((end) => Object.keys(files).find((name) => name.endsWith(end)));
  const html = readFileSync(join(travelerPage, "index.html"), "utf8")
    .replace('href="page.css"', `href="/checkout/${style}"`)
    .replace('src="page.js"', `src="/checkout/${script}"`);
  const written = languages.map(([language, { view, page, notices }]) => {
    const words = { texts: { ...view, ...page }, notices };
    const document = html
      .replace('lang="en"', `lang="${language}"`)
      .replace(/\{(\w+)\}/g, (_, key) => words.texts[key].replaceAll("&", "&amp;"));
    // No text may end the element.
    const json = JSON.stringify(words).replaceAll("<", "\\u003c");
    files[`words/${language}.json`] = JSON.stringify(words);
    return [language, document.replace('id="texts">', () => `id="texts">${json}`)];
  });
  return { documents: Object.fromEntries(written), files };
}

/** The card's page as one document, which a host shows without loading anything. */
async function quoteCard() {
  const { outputFiles } = await build({ ...IN_BROWSERS, entryPoints: [join(card, "main.ts"), join(card, "card.css")] });
  const textOf = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text.trim();
  const texts = gzipSync(JSON.stringify(cardTexts())).toString("base64");
  return readFileSync(join(card, "card.html"), "utf8")
    .replace('id="texts">', `id="texts">${texts}`)
    .replace('<link rel="stylesheet" href="card.css">', () => `<style>${textOf(".css")}</style>`)
    .replace('<script type="module" src="main.ts"></script>', () => `<script type="module">${textOf(".js")}</script>`);
}

function cardTexts() {
  return Object.fromEntries(
    languages.map(([language, { view, card, notices }]) => [language, { view, card, notices }]),
  );
}

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
