import assert from "node:assert/strict";
import { test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, metricOf } from "../support/machines.ts";
import { aConnection } from "../support/raw-connection.ts";
import { until } from "../support/until.ts";

const API = "/api/public/v1";
const PIPELINED = 15;

/** More requests than may be in flight, if none of them ever ended. */
test("110 connections that pipeline 15 requests and close leave no call in flight", { timeout: 120_000 }, async (t) => {
  const server = await startBuiltServer(t, { TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t) });
  const { token, publicUrl } = server;
  const { host, port } = new URL(publicUrl);
  const head = (line: string, bearer: string) =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: application/json\r\n`;
  const body = JSON.stringify(aRealJourney());
  const attacks = {
    "static files": `${head("GET /checkout/page.js", "x")}\r\n`,
    documents: `${head("GET /openapi.json", "x")}\r\n`,
    "wrong tokens": `${head(`GET ${API}/quotes/q_1`, "wrong")}\r\n`,
    quotes: `${head(`POST ${API}/quotes`, token)}Content-Length: ${body.length}\r\n\r\n${body}`,
  };
  const filesBefore = await metricOf(server, "process_open_fds");
  const uploads = await Promise.all(Array.from({ length: 3 }, () => aConnection(t, port)));
  for (const upload of uploads) upload.write(`${head(`POST ${API}/quotes`, token)}Content-Length: 1000\r\n\r\n{`);
  const inFlight = () => metricOf(server, "transfer_calls_in_flight");
  await until(async () => (await inFlight()) === 3, "the uploads have begun");

  for (const [what, request] of Object.entries(attacks)) {
    const sockets = await Promise.all(Array.from({ length: 110 }, () => aConnection(t, port)));
    await Promise.all(
      sockets.map((socket) => new Promise((resolve) => socket.write(request.repeat(PIPELINED), resolve))),
    );
    for (const socket of sockets) socket.destroy();
    await until(async () => (await inFlight()) <= 3, `no call of ${what} is in flight`);
    assert.equal((await fetch(`${publicUrl}/readyz`)).status, 200);
    assert.equal((await at(server, "/quotes", { token, body: aRealJourney() })).status, 201, what);
  }
  for (const upload of uploads) upload.destroy();
  await until(async () => (await inFlight()) === 0, "no call is in flight");
  await until(async () => (await metricOf(server, "process_open_fds")) < filesBefore + 20, "files are closed");
});
