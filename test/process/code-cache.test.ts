import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { packageRoot, packageVersion } from "../../src/ops/package-root.ts";
import { aFolder } from "../support/temporary-folder.ts";

const RUN_CACHED = pathToFileURL(join(packageRoot, "dist/src/ops/run-cached.js"));
const CACHE = `script.cjs.${process.version}-${process.arch}`;
/** Its function is compiled when it is called, and imports a module. */
const SCRIPT = `exports.run = async () => __filename.length + (await module.import("./other.js")).two;`;

/** A folder with a script, a program that runs it, and what one run of the program prints. */
function aScript(t: TestContext) {
  const folder = aFolder(t);
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
  write("package.json", `{ "type": "module" }`);
  write("other.js", "export const two = 2;");
  write("script.cjs", SCRIPT);
  const load = `runCached(new URL("./script.cjs", import.meta.url))`;
  write("program.js", `import { runCached } from "${RUN_CACHED}"; console.log(await ${load}.run());`);
  const run = (command: string) => {
    const printed = execFileSync(process.execPath, [join(folder, "program.js"), command], { encoding: "utf8" });
    assert.equal(Number(printed), join(folder, "script.cjs").length + 2);
  };
  const code = () => readFileSync(join(folder, CACHE));
  return { run, write, code, names: () => readdirSync(folder) };
}

test("a run over stdio leaves its compiled code, which later runs use and keep", (t) => {
  const { run, code, names } = aScript(t);
  run("prices");
  assert.ok(!names().includes(CACHE));
  run("stdio");
  const first = code();
  run("stdio");
  assert.deepEqual(code(), first);
  // The script, its module, the program, the package and the code: no draft is left.
  assert.equal(names().length, 5);
});

test("damaged code, or that of another script, is replaced", (t) => {
  const { run, write, code } = aScript(t);
  run("stdio");
  const good = code().length;
  for (const bad of [Buffer.from("no code"), Buffer.alloc(good, 7)]) {
    write(CACHE, bad);
    run("stdio");
    assert.notDeepEqual(code(), bad);
  }
  write("script.cjs", `${SCRIPT} // longer`);
  run("stdio");
});

test("the build leaves the code of a first quote for its own Node", () => {
  const chunks = readdirSync(join(packageRoot, "dist/src/chunks"));
  const [script = ""] = chunks.filter((name) => /^chunk.*\.cjs$/.test(name));
  assert.ok(chunks.includes(`${script}.${process.version}-${process.arch}`), chunks.join(" "));
  const text = readFileSync(join(packageRoot, "dist/src/chunks", script), "utf8");
  for (const name of ["createQuoting", "createCallPipeline", "createRoadNetwork", "readConfig"])
    assert.match(text, new RegExp(`^function ${name}\\(`, "m"), `${script} lacks what a first quote runs`);
  // It would load Node's loader of ES modules.
  assert.doesNotMatch(text, /__import\("\.\/(?:stdio|sandbox)-/);
});

test("chunks that are loaded later share the modules of the start", async () => {
  const folder = join(packageRoot, "dist/src/chunks");
  const [script = ""] = readdirSync(folder).filter((name) => /^chunk.*\.cjs$/.test(name));
  const shared = await import(pathToFileURL(join(folder, script.replace(/cjs$/, "js"))).href);
  const start = createRequire(import.meta.url)(join(folder, "start.cjs"));
  assert.ok(shared.main);
  assert.equal(shared.main, start.main);
});

test("both command lines run the program", () => {
  const versions = ["cli.js", "cli.cjs"].map((file) =>
    execFileSync(process.execPath, [join(packageRoot, "dist/src", file), "--version"], { encoding: "utf8" }),
  );
  assert.deepEqual(versions, [`${packageVersion}\n`, `${packageVersion}\n`]);
});
