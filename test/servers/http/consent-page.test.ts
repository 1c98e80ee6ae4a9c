import assert from "node:assert/strict";
import { test } from "node:test";
import express from "express";
import { sendConsentPage } from "../../../src/servers/http/consent-page.ts";
import type { Consent } from "../../../src/service/calls/token-verifier.ts";
import { aLoopbackServer } from "../../support/loopback-server.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { wholeFile } from "../../support/whole-file.ts";

const { operator } = defaultCatalog.catalog;
let consent: Consent;
const app = express().get("/", (request, response) => sendConsentPage(consent, operator, request, response));
const origin = await aLoopbackServer(wholeFile, app);

async function shown(changes: Partial<Consent>, language = "en") {
  consent = { client: "host", returnsTo: "https://app.example.com", scopes: ["discovery"], ...changes };
  const response = await fetch(origin, { headers: { "Accept-Language": language } });
  const [, forms] = /form-action ([^;]*);/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
  return { forms, text: await response.text() };
}

test("names client and target as text", async () => {
  const { text } = await shown({ client: "<b>x</b>", returnsTo: "https://a'.test", scopes: ["<u>"] });
  assert.doesNotMatch(text, /<b>|<u>|a'/);
  assert.match(text, /&#60;b&#62;x/);
});

for (const [language, allow, deny] of [
  ["en", "Allow", "Cancel"],
  ["de", "Erlauben", "Abbrechen"],
  ["fr", "Autoriser", "Annuler"],
  ["it", "Consentire", "Annullare"],
] as const) {
  test(`is in ${language}, and one of its two buttons stands out`, async () => {
    const { text } = await shown(
      { scopes: ["discovery", "quote:create", "quote:read-own", "checkout:prepare"] },
      language,
    );
    assert.match(text, new RegExp(`<html lang="${language}">`));
    assert.match(text, new RegExp(`class="button" name="answer" value="allow">${allow}</button>`));
    assert.match(text, new RegExp(`<button name="answer" value="deny">${deny}</button>`));
    assert.doesNotMatch(text, /\{\w+\}|<li>[\w-]+:[\w-]+<\/li>/);
  });
}

for (const [returnsTo, forms] of [
  ["https://app.example.com", "'self' https://app.example.com"],
  ["https://app.example.com:8443", "'self' https://app.example.com:8443"],
  ["http://[::1]:4711", "'self' http:"],
  ["cursor:", "'self' cursor:"],
  ["https://a;script-src'x.test", "'self' https:"],
] as const) {
  test(`its form may lead to ${returnsTo} by "${forms}"`, async () => {
    assert.equal((await shown({ returnsTo })).forms, forms);
  });
}
