import assert from "node:assert/strict";
import { test } from "node:test";
import express, { type RequestHandler } from "express";
import { createApp } from "../../src/http/app.ts";
import type { Route } from "../../src/http/direct-routes.ts";
import { listen } from "../../src/http/http-server.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { type ApiAnswer, aService, request } from "../support/service.ts";

test("a request is answered equally whether Express searches its route or not", async (t) => {
  const { api, token } = await aService(t);
  const bearer = await token();
  const { quote_id } = (await api("/quotes", { token: bearer, body: aQuoteRequest() })).body;
  const json = { "Content-Type": "application/json" };
  const requests = [
    ["/vehicle-classes", {}],
    ["/vehicle-classes", { headers: { "If-None-Match": "*" } }],
    ["/routes?origin=Zurich%20Airport&destination=Zermatt&origin=Bern", {}],
    ["/policies/luggage", {}],
    ["/policies/teapot", {}],
    [`/quotes/${quote_id}`, { token: bearer }],
    [`/quotes/${quote_id}`, {}],
    ["/quotes", { token: bearer, text: "[]", headers: json }],
    ["/quotes", { token: bearer, text: "{", headers: json }],
    ["/quotes", { token: bearer, text: "{}", headers: { "Content-Type": "text/plain" } }],
    ["/quote-intents", { token: bearer, body: aQuoteRequest({ passengers: 0 }) }],
  ] as const;
  for (const [path, options] of requests) {
    const direct = await api(path, options);
    // A slash at the end is Express's own.
    const searched = await api(path.replace(/(?=\?|$)/, "/"), options);
    assert.deepEqual(shown(searched), shown(direct), path);
  }
});

test("a percent-encoded parameter is decoded, and one that cannot be is refused", async (t) => {
  const { api, token } = await aService(t);
  const bearer = await token();
  const { quote_id } = (await api("/quotes", { token: bearer, body: aQuoteRequest() })).body;
  const encoded = quote_id.replace("_", "%5F");
  assert.equal((await api(`/quotes/${encoded}`, { token: bearer })).body.quote_id, quote_id);
  assert.equal((await api("/quotes/%E0%A4", { token: bearer })).status, 400);
});

test("handlers that throw, reject or pass an error on are answered as Express answers them", async (t) => {
  const end: RequestHandler = (_request, response) => void response.json({});
  const handlers: Readonly<Record<string, RequestHandler>> = {
    "/throws": () => {
      throw new Error("secret");
    },
    "/rejects": async () => {
      throw new Error("secret");
    },
    "/passes": (_request, _response, next) => next(new Error("secret")),
    "/passes-late": (_request, _response, next) => setImmediate(() => next(new Error("secret"))),
  };
  const routes = Object.entries(handlers).map(
    ([path, handler]): Route => ({ method: "get", path, handlers: [handler, end] }),
  );
  const router = express.Router();
  let searches = 0;
  router.use((_request, _response, next) => {
    searches += 1;
    next();
  });
  for (const route of routes) router.get(route.path, ...route.handlers);
  const mounts = [{ path: "/api", handler: router, routes }];
  const failed: number[] = [];
  const onFinished = ({ status }: { status: number }) => void failed.push(status);
  const server = await listen("127.0.0.1", 0);
  t.after(() => server.close(0));
  server.serve(createApp({ docsBase: "", trustProxy: undefined, onFinished, readOnlyPaths: [], mounts }));
  for (const path of Object.keys(handlers)) {
    const url = `http://127.0.0.1:${server.port}/api${path}`;
    const [direct, searched] = [await request(url), await request(`${url}/`)];
    assert.equal(direct.status, 503);
    assert.deepEqual(shown(direct), shown(searched), path);
  }
  assert.equal(searches, 4);
  assert.deepEqual(failed, Array(8).fill(503));
});

/** Without what differs between any two calls. */
function shown({ status, headers, text }: ApiAnswer) {
  const fields = [...headers].filter(([name]) => name !== "date" && name !== "x-request-id");
  const body = text.replace(/req_[\w-]{22}/, "").replace(/("instance":"[^"]*?)\/"/, '$1"');
  return { status, fields: fields.filter(([name]) => name !== "content-length"), body };
}
