import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type BuiltServer, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/lifetime.ts";
import { at } from "../support/machines.ts";
import { storedEntries } from "../support/stored-entries.ts";

const WAITS = { timeout: 60_000 };
/** Within the budget of a caller. */
const QUOTES = 8;

test(
  "of two servers on one folder, by its link and by its real path, one serves and loses no quote",
  WAITS,
  async (t) => {
    const { real, link } = aLongPathAndItsLink(t);
    const first = await startBuiltServer(t, { TRANSFER_DATA_DIR: link });
    const second = await startBuiltServer(t, { TRANSFER_DATA_DIR: real }).catch(({ message }) => String(message));
    const acknowledged = await quotesOf(typeof second === "string" ? [first] : [first, second]);
    assert.equal(storedEntries(real).length, acknowledged, "each acknowledged quote is stored");
    const why = `data folder ${real}/quotes/serve is in use by process ${first.child.pid} (serve on http://127.0.0.1:0`;
    assert.ok(typeof second === "string" && second.includes(` ended with 2 `) && second.includes(why), String(second));
    assert.equal(await first.stop().then(({ code }) => code), 0);

    const next = await startBuiltServer(t, { TRANSFER_DATA_DIR: real });
    assert.equal(storedEntries(real).length, acknowledged);
    await next.stop();
  },
);

/** The real path is longer than the path of a socket may be. */
function aLongPathAndItsLink(t: TestContext) {
  const parent = aFolder(t);
  const real = join(parent, "d".repeat(120));
  mkdirSync(real);
  // At another depth, so that a relative path from the one leads nowhere from the other.
  mkdirSync(join(parent, "links"));
  const link = join(parent, "links", "data");
  symlinkSync(real, link);
  return { real, link };
}

/** How many quotes the servers have acknowledged. Servers on one folder accept the same tokens. */
async function quotesOf(servers: readonly BuiltServer[]): Promise<number> {
  for (let n = 0; n < QUOTES; n += 1) {
    for (const server of servers) {
      const { status, text } = await at(server, "/quotes", { token: server.token, body: aRealJourney() });
      assert.equal(status, 201, text);
    }
  }
  return QUOTES * servers.length;
}
