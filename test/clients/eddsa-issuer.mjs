import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { OAuth2Server } from "oauth2-mock-server";
import { connected, journey } from "./journey.mjs";
import { startProgram } from "./server.mjs";

const AUDIENCE = "https://quotes.example.com/api";
const SCOPES = "discovery quote:create quote:read-own checkout:prepare";

export const checks = [
  {
    client: "`oauth2-mock-server`, as an external issuer",
    from: "oauth2-mock-server",
    does: "keys found by its metadata, journey with a token signed with EdDSA, another's token refused",
    async run({ cli }) {
      const [issuer, other] = [await startIssuer(), await startIssuer()];
      const settings = {
        TRANSFER_HTTP_PORT: "0",
        TRANSFER_AUTH_ISSUER: issuer.issuer.url,
        TRANSFER_AUTH_AUDIENCE: AUDIENCE,
      };
      const { printed, close } = await startProgram([cli, "serve"], settings, /Tokens/);
      try {
        const [endpoint] = /http:\S+\/mcp/.exec(printed);
        const client = () => new Client({ name: "journeys", version: "1.0.0" });
        const transport = async (server) => {
          const requestInit = { headers: { Authorization: `Bearer ${await tokenOf(server)}` } };
          return new StreamableHTTPClientTransport(new URL(endpoint), { requestInit });
        };
        await journey(await connected(client(), await transport(issuer)));
        await assert.rejects(connected(client(), await transport(other)), /401|Unauthorized|AUTHENTICATION_REQUIRED/);
      } finally {
        await close();
        await Promise.all([issuer.stop(), other.stop()]);
      }
    },
  },
];

async function startIssuer() {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("EdDSA");
  await server.start(0, "127.0.0.1");
  return server;
}

/** By client credentials, as an agent would get it. */
async function tokenOf({ issuer, service }) {
  service.once("beforeTokenSigning", ({ payload }) => {
    Object.assign(payload, { aud: AUDIENCE, sub: "agent-1", scope: SCOPES });
  });
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  const response = await fetch(`${issuer.url}/token`, { method: "POST", body });
  const { access_token } = await response.json();
  assert.equal(JSON.parse(Buffer.from(access_token.split(".")[0], "base64url")).alg, "EdDSA");
  return access_token;
}
