import assert from "node:assert/strict";
import { test } from "node:test";
import { tools } from "../../../tools/tools.ts";
import { startBuiltServer } from "../../support/built-process.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import { aNewerRequest, NEWER, postsTo } from "../../support/mcp-messages.ts";

// A hosted connector of a large client negotiates the newer revision by `server/discover` and keeps the header of an
// older one on every request. It is public knowledge that it does, not whether it sends the two headers that only the
// newer revision has.
for (const ownHeaders of [true, false]) {
  const headers = ownHeaders ? "with Mcp-Method and Mcp-Name" : "without the headers of the newer revision";
  test(`a connector whose header names an older revision than its metadata is served, ${headers}`, async (t) => {
    const { publicUrl, token } = await startBuiltServer(t);
    const post = postsTo(publicUrl, token);

    async function result(method: string, params: Readonly<Record<string, unknown>> = {}) {
      const { name, uri = name } = params;
      const { status, body, text } = await post(aNewerRequest(1, method, params), {
        "MCP-Protocol-Version": "2025-11-25",
        ...(ownHeaders && { "Mcp-Method": method, "Mcp-Name": uri as string | undefined }),
      });
      assert.equal(status, 200, text);
      // Only the newer revision has it.
      assert.equal(body.result.resultType, "complete", text);
      return body.result;
    }
    const call = (name: string, args: object) => result("tools/call", { name, arguments: args });

    assert.deepEqual((await result("server/discover")).supportedVersions, [NEWER]);
    assert.equal((await result("tools/list")).tools.length, tools.length);
    assert.match((await result("resources/read", { uri: "ui://transfer-quote/card" })).contents[0].text, /^<!doctype/i);
    const journey = aRealJourney();
    const failed = await call("create_transfer_quote", { ...journey, origin: "Hintertupfingen" });
    assert.equal(failed.isError, true);
    assert.match(failed.content[0].text, /^INVALID_LOCATION: /);
    const { structuredContent: quote } = await call("create_transfer_quote", journey);
    const { quote_id, options } = quote;
    const { fleet_id, total_price } = options[0];
    const handoff = await call("create_checkout_handoff", { quote_id, fleet_id, traveler_approval: true });
    assert.equal(handoff.structuredContent.total_price, total_price);
    assert.equal((await fetch(handoff.structuredContent.checkout_url)).status, 200);
  });
}
