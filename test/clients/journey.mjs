import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { startServer } from "./server.mjs";

/** A journey that every client asks for. */
export function aJourney() {
  const day = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  return {
    origin: "Zurich Airport",
    destination: "Bern",
    pickup_datetime: `${day}T11:00:00Z`,
    passengers: 2,
    luggage: 2,
  };
}

/** Lists the tools, and goes from a refused call to the checkout link. */
export async function journey({ tools, call, close }) {
  try {
    assert.equal((await tools()).length, 9);
    const { services } = await resultOf(call("list_transfer_services", {}));
    assert.ok(services.length >= 25);
    const refused = await call("create_transfer_quote", { ...aJourney(), origin: "Nowhere at all" });
    assert.equal(refused.isError, true);
    assert.match(refused.content[0].text, /^INVALID_LOCATION: /);
    const quote = await resultOf(call("create_transfer_quote", aJourney()));
    const { quote_id } = quote;
    // A new one does not say yet whom to ask whether it is paid.
    const { next_action: _, ...read } = await resultOf(call("get_transfer_quote", { quote_id }));
    assert.deepEqual(read, quote);
    const [{ fleet_id, total_price }] = quote.options;
    const handoff = await resultOf(call("create_checkout_handoff", { quote_id, fleet_id, traveler_approval: true }));
    assert.equal(handoff.total_price, total_price);
    assert.match(handoff.checkout_url, /^http.*sig=/);
  } finally {
    await close();
  }
}

/** What an SDK's client can do once it is connected; `revision` is the one that it must have agreed on. */
export async function connected(client, transport, revision) {
  await client.connect(transport);
  if (revision) assert.equal(client.getNegotiatedProtocolVersion(), revision);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (name, args) => client.callTool({ name, arguments: args }),
    close: () => client.close(),
  };
}

/** Calls `use` with a server of its own. */
export async function withServer({ cli }, use, env) {
  const server = await startServer(cli, env);
  try {
    return await use({ ...server, endpoint: `${server.url}/mcp`, authorization: `Bearer ${server.token}` });
  } finally {
    await server.close();
  }
}

async function resultOf(answer) {
  const result = await answer;
  assert.notEqual(result.isError, true, JSON.stringify(result));
  return result.structuredContent;
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return String(port);
}
