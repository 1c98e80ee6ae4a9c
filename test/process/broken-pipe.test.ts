import assert from "node:assert/strict";
import { test } from "node:test";
import { startBuilt } from "../support/built-process.ts";

/** As a shell shows a program that SIGPIPE has ended: no success that nobody has read. */
const SIGPIPE = 128 + 13;

for (const args of [["help"], ["check"], ["quote", "Bern", "Chur"]]) {
  test(`"${args.join(" ")} | head" ends without a word`, async (t) => {
    const program = startBuilt(t, args);
    program.child.stdout.destroy();
    const { code } = await program.ended;
    assert.deepEqual([code, program.stderr()], [SIGPIPE, ""]);
  });
}
