import assert from "node:assert/strict";
import * as http from "node:http";
import { test } from "node:test";
import express from "express";
import { listen } from "../../src/http/http-server.ts";
import { createMessageClasses } from "../../src/http/message-classes.ts";

test("requests are made with the app's prototypes once the app has answered one", async (t) => {
  const app = express();
  app.get("/", (request, response) => void response.json({ ip: request.ip, path: request.path }));
  const server = await listen("127.0.0.1", 0);
  t.after(() => server.close(0));
  const isPrepared: boolean[] = [];
  server.serve((request, response) => {
    const prototypes = [Object.getPrototypeOf(request), Object.getPrototypeOf(response)];
    isPrepared.push(prototypes[0] === app.request && prototypes[1] === app.response);
    app(request, response);
  });

  for (let call = 1; call <= 3; call += 1) {
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    assert.deepEqual(await response.json(), { ip: "127.0.0.1", path: "/" });
  }
  assert.deepEqual(isPrepared, [false, true, true]);
});

test("the server keeps Node's classes where they cannot be called as functions", () => {
  const classes = {
    IncomingMessage: class extends http.IncomingMessage {},
    ServerResponse: class extends http.ServerResponse {} as typeof http.ServerResponse,
  };
  assert.deepEqual(createMessageClasses(classes).classes, {});
});
