import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { suite, test } from "node:test";
import { moduleUrl, runsScript } from "../support/run-module.ts";

/** What a process that runs this code writes. */
function written(level: string, code: string): { readonly stdout: string; readonly stderr: string } {
  const script = `import { createLog } from "${moduleUrl("src/ops/log")}"; const log = createLog(${JSON.stringify(level)}); ${code}`;
  const run = spawnSync(process.execPath, runsScript(script), { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  return run;
}

suite("the log", () => {
  test("hides tokens, signatures and secrets to a depth of three", () => {
    const { stderr } = written(
      "info",
      `const leak = { authorization: "LEAK", access_token: "LEAK", client_secret: "LEAK", code_verifier: "LEAK",
        sig: "LEAK", secret: "LEAK", secrets: ["LEAK"], token: "LEAK", bearer: "LEAK", checkout_url: "LEAK" };
      log.info({ ...leak, request: { ...leak, headers: { ...leak, accept: "kept" } } }, "call");`,
    );
    assert.ok(!stderr.includes("LEAK"), stderr);
    assert.ok(stderr.includes("kept"));
  });

  test("reduces an error to its type, code, message and stack, and those of its causes", () => {
    const { stderr } = written(
      "info",
      `let cause; try { JSON.parse("LEAK") } catch (error) { cause = error }
      const failed = new TypeError("failed", { cause });
      log.warn({ err: Object.assign(failed, { code: "ERR_X", command: { args: ["LEAK"] } }) }, "x");
      log.calls.info({ err: failed }, "y"); log.calls.info({ err: "LEAK" }, "z");`,
    );
    assert.ok(!stderr.includes("LEAK"), stderr);
    const [first, second] = stderr.split("\n").map((line) => line && JSON.parse(line).err);
    assert.deepEqual(
      [first.type, first.code, first.message, first.cause.type],
      ["TypeError", "ERR_X", "failed", "SyntaxError"],
    );
    assert.match(first.stack, /^ +at /);
    assert.deepEqual(second, first);
  });

  test("is written when the process exits", () => {
    const lines = (count: number, end: string) =>
      written(
        "info",
        `for (let n = 0; n < ${count}; n += 1) log.calls.info({ n, text: "x".repeat(100) }, "call"); ${end}`,
      ).stderr.match(/"msg":"call"}\n/g)?.length;
    // A process that exits at once leaves what the pipe takes without its reader.
    assert.equal(lines(20, "process.exit(0)"), 20);
    assert.equal(lines(2_000, ""), 2_000);
  });
});
