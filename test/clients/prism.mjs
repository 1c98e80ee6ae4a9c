import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aJourney, withServer } from "./journey.mjs";
import { emptyEnvironment, end, outputUntil, packagePath } from "./server.mjs";

const PRISM = packagePath("@stoplight/prism-cli/dist/index.js");

export const prism = [
  {
    client: "Prism, as a proxy",
    from: "@stoplight/prism-cli",
    does: "a REST session, every response as `docs/openapi.json` has it",
    run: (project) =>
      withServer(project, async (server) => {
        await throughPrism(project.openApi, server, async (send) => {
          for (const request of await session(send)) assert.equal(request.violations, null, JSON.stringify(request));
        });
        await throughPrism(withWrongType(project.openApi), server, async (send) => {
          assert.notEqual(
            (await send("GET", "/vehicle-classes", 200)).violations,
            null,
            "a planted fault is not found",
          );
        });
      }),
  },
];

/** Every operation, and problems of each kind of status. */
async function session(send) {
  const quoted = await send("POST", "/quotes", 201, aJourney());
  const { quote_id, options } = quoted.body;
  const [{ fleet_id }] = options;
  const approval = { quote_id, fleet_id, traveler_approval: true };
  const handoff = await send("POST", "/checkout-sessions", 200, approval);
  const { search } = new URL(handoff.body.checkout_url);
  const link = new URLSearchParams(search);
  link.delete("quote_id");
  return [
    quoted,
    handoff,
    await send("GET", `/checkout-sessions/${quote_id}?${link}`, 200),
    await send("GET", `/quotes/${quote_id}`, 200),
    await send("GET", "/services/transfers", 200),
    await send("GET", "/routes?origin=ZRH&destination=Zermatt", 200),
    await send("GET", "/routes/zurich-airport-to-zermatt", 200),
    await send("GET", "/vehicle-classes", 200),
    await send("GET", "/policies/cancellation", 200),
    await send("GET", "/quote-requirements", 200),
    await send("POST", "/quote-intents", 200, aJourney()),
    await send("POST", "/quotes", 422, { ...aJourney(), origin: "Nowhere at all" }),
    await send("POST", "/checkout-sessions", 422, { ...approval, traveler_approval: false }),
    await send("GET", "/routes/nowhere-to-bern", 404),
    await send("GET", "/quotes/q_unknown", 404),
    await send("GET", "/quotes/q_unknown", 401, undefined, "Bearer wrong"),
  ];
}

async function throughPrism(document, { url, authorization }, use) {
  const options = ["--port", "0", "--validate-request", "false"];
  const child = spawn(process.execPath, [PRISM, "proxy", document, `${url}/api/public/v1`, ...options], {
    env: { ...emptyEnvironment(), NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [, base] = /listening on (http:\/\/[\w.:]+)/.exec(
    await outputUntil(child, child.stdout, /listening on http:\/\/[\w.]+:\d+/),
  );
  const send = async (method, path, status, body, token = authorization) => {
    const headers = { Authorization: token, "Content-Type": "application/json" };
    const response = await fetch(`${base}${path}`, { method, headers, body: body && JSON.stringify(body) });
    const answer = await response.json();
    assert.equal(response.status, status, JSON.stringify(answer));
    return { method, path, status, body: answer, violations: response.headers.get("sl-violations") };
  };
  await use(send).finally(() => end(child));
}

/** The document with another type of one field. */
function withWrongType(openApi) {
  const text = readFileSync(openApi, "utf8");
  const file = join(emptyEnvironment().TRANSFER_DATA_DIR, "openapi.json");
  const document = JSON.parse(text);
  const operation = document.paths["/vehicle-classes"].get;
  operation.responses[200].content["application/json"].schema = { type: "array" };
  writeFileSync(file, JSON.stringify(document));
  return file;
}
