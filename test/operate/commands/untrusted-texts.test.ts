import assert from "node:assert/strict";
import { test } from "node:test";
import { runCommand } from "../../support/command-line.ts";
import { aClock } from "../../support/fake-clock.ts";
import { startIssuer } from "../../support/issuer.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import { aFolder } from "../../support/lifetime.ts";
import { aService } from "../../support/service.ts";

/** Sets the title of a terminal, clears it in two ways, turns the text around, and is a formula for a spreadsheet. */
const CLIENT = "\r=1+1\u001b]0;owned\u0007\u001b[2J\u009b2J\u202e\u200b";

test("no command prints a control character of a client's name", async (t) => {
  const clock = aClock(new Date().toISOString());
  const issuer = await startIssuer(t, clock);
  const env = { TRANSFER_DATA_DIR: aFolder(t), ...issuer.settings };
  const { api } = await aService(t, { env, clock });
  const scope = "quote:create quote:read-own";
  const token = await issuer.sign({ sub: "agent", scope, client_id: CLIENT });
  const { status, body, text } = await api("/quotes", { token, body: aRealJourney() });
  assert.equal(status, 201, text);
  const { quote_id } = body;
  for (const args of [
    ["find", quote_id],
    ["find", quote_id, "--json"],
    ["find", "\u009b2J"],
    ["report", "--by", "client"],
    ["report", "--by", "client", "--csv"],
    ["report", "--sales", "--json"],
  ]) {
    const { stdout, stderr } = await runCommand(t, args, env);
    assert.ok(stdout.length + stderr.length > 0);
    assert.doesNotMatch(stdout + stderr, /(?!\n)\p{C}/u, args.join(" "));
    if (args.includes("--json")) assert.ok(stdout.includes("\\r=1+1\\u001b]0;owned"), stdout);
    if (args.includes("--csv")) assert.match(stdout, /(^|,)"?\\u\{d\}'=1\+1/m);
  }
});
