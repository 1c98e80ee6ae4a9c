import assert from "node:assert/strict";
import { test } from "node:test";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

interface Corridor {
  readonly origin: string;
  readonly destination: string;
}

const { api } = await aService(wholeFile);

async function corridors(query: string): Promise<readonly Corridor[]> {
  const { status, body, text } = await api(`/services/transfers${query}`);
  assert.equal(status, 200, text);
  return body.services;
}

test("corridors are listed by origin, by destination or by both, named as people write them", async () => {
  const all = await corridors("");
  const from = await corridors("?origin=ZRH");
  assert.deepEqual(
    from,
    all.filter(({ origin }) => origin === "Zurich Airport"),
  );
  assert.ok(from.length > 1 && from.length < all.length);
  const to = await corridors("?destination=zermatt");
  assert.deepEqual(
    to,
    all.filter(({ destination }) => destination === "Zermatt"),
  );
  assert.equal((await corridors("?origin=Flughafen%20Z%C3%BCrich&destination=Zermatt")).length, 1);
});

test("a place without corridors has an empty list", async () => {
  assert.deepEqual(await corridors("?origin=Zermatt&destination=Lugano"), []);
});
