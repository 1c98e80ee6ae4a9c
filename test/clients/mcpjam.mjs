import assert from "node:assert/strict";
import { MCPAppsConformanceTest, MCPConformanceTest, OAuthConformanceTest } from "@mcpjam/sdk";
import { withServer } from "./journey.mjs";
import { browse } from "./server.mjs";

const jam = { client: "MCPJam", from: "@mcpjam/sdk" };
const verification = { listTools: true, callTool: { name: "get_quote_requirements", params: {} } };

export const checks = [
  {
    ...jam,
    does: "protocol suite",
    run: (project) =>
      withServer(project, ({ endpoint, token }) =>
        passed(new MCPConformanceTest({ serverUrl: endpoint, accessToken: token })),
      ),
  },
  {
    ...jam,
    does: "MCP Apps suite",
    run: (project) =>
      withServer(project, ({ endpoint, token }) =>
        passed(new MCPAppsConformanceTest({ url: endpoint, accessToken: token })),
      ),
  },
  {
    ...jam,
    does: "OAuth suite, authorization code and PKCE",
    run: (project) =>
      withServer(project, ({ endpoint, clientId }) => {
        const auth = { mode: "interactive", openUrl: async (url) => void browse(url) };
        return passed(oauth(endpoint, auth, { preregistered: { clientId } }));
      }),
  },
  {
    ...jam,
    does: "OAuth suite, client credentials",
    run: (project) =>
      withServer(project, ({ endpoint, clientId, clientSecret }) => {
        const auth = { mode: "client_credentials", clientId, clientSecret };
        return passed(oauth(endpoint, auth, { preregistered: { clientId, clientSecret } }));
      }),
  },
];

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
