import assert from "node:assert/strict";
import { MCPAppsConformanceTest, MCPConformanceTest, OAuthConformanceTest } from "@mcpjam/sdk";
import { withServer } from "./journey.mjs";
import { browse } from "./server.mjs";

const verification = { listTools: true, callTool: { name: "get_quote_requirements", params: {} } };

/** Suites for a server, by what they do. */
const SUITES = {
  "protocol suite": ({ endpoint, token }) => new MCPConformanceTest({ serverUrl: endpoint, accessToken: token }),
  "MCP Apps suite": ({ endpoint, token }) => new MCPAppsConformanceTest({ url: endpoint, accessToken: token }),
  "OAuth suite, authorization code and PKCE": ({ endpoint, clientId }) => {
    const auth = { mode: "interactive", openUrl: async (url) => void browse(url) };
    return oauth(endpoint, auth, { preregistered: { clientId } });
  },
  "OAuth suite, client credentials": ({ endpoint, clientId, clientSecret }) => {
    const auth = { mode: "client_credentials", clientId, clientSecret };
    return oauth(endpoint, auth, { preregistered: { clientId, clientSecret } });
  },
};

export const checks = Object.entries(SUITES).map(([does, suiteFor]) => ({
  ...{ client: "MCPJam", from: "@mcpjam/sdk", does },
  run: (project) => withServer(project, (server) => passed(suiteFor(server))),
}));

function oauth(serverUrl, auth, client) {
  const revision = { protocolVersion: "2025-11-25", registrationStrategy: "preregistered" };
  return new OAuthConformanceTest({ serverUrl, ...revision, auth, client, oauthConformanceChecks: true, verification });
}

/** Skipped are those of capabilities that the server does not declare, and of registration, which is off. */
async function passed(suite) {
  const result = await suite.run();
  const steps = result.checks ?? result.steps;
  const count = (status) => steps.filter((step) => step.status === status).length;
  assert.ok(
    result.passed,
    JSON.stringify(
      steps.filter(({ status }) => status === "failed"),
      null,
      2,
    ),
  );
  assert.notEqual(result.verification?.callTool?.passed, false, JSON.stringify(result.verification));
  return `${count("passed")} passed, ${count("skipped")} not applicable`;
}
