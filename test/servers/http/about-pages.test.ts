import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import express from "express";
import about from "../../../rest-shim/site/about-words.json" with { type: "json" };
import { operatorIn } from "../../../src/domain/catalog/load-operator.ts";
import { OFFERED } from "../../../src/domain/catalog/operator-schema.ts";
import { sendConsentPage } from "../../../src/servers/http/consent-page.ts";
import type { Consent } from "../../../src/service/calls/token-verifier.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { wholeFile } from "../../support/lifetime.ts";
import { aLoopbackServer } from "../../support/loopback-server.ts";
import { linkPath } from "../../support/machines.ts";
import { anMcpClient } from "../../support/mcp-client.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aService, request } from "../../support/service.ts";

const catalogDir = aCatalogFolder(wholeFile);
changeCatalog(catalogDir, "operator.json", (operator) =>
  Object.assign(operator, {
    ...{ name: "Alpine Cars", postalAddress: "Seeweg 5, 6003 Lucerne", registerNumber: "CHE-116.281.710" },
    ...{ license: "Lizenz 7 <BAV>", phoneHours: "daily", privacyUrl: "https://alpine.test/data" },
  }),
);
changeCatalog(catalogDir, "translations.json", ({ texts }) =>
  Object.assign(texts, { daily: { de: "täglich", fr: "tous les jours", it: "ogni giorno" } }),
);
const service = await aService(wholeFile, { env: { TRANSFER_CATALOG_DIR: catalogDir, TRANSFER_LEDGER_DAYS: "90" } });
const connected = await aService(wholeFile, {
  env: {
    ...{ TRANSFER_GEOCODER: "photon", TRANSFER_GEOCODER_URL: "http://127.0.0.1:9" },
    ...{ TRANSFER_CHECKOUT_CONTINUE_URL: "https://book.example/", TRANSFER_LEDGER_DAYS: "0" },
  },
});
const read = (path: string, headers = {}, { publicUrl } = service) => request(`${publicUrl}${path}`, { headers });

suite("the pages for travelers about the service", () => {
  test("are in the language of the browser, with the days that things are kept and the hours of the phone", async () => {
    for (const [language, days, hours] of [
      ["en", "90 days", "Phone: daily"],
      ["de", "90 Tage", "Telefon: täglich"],
      ["fr", "90 jours", "Téléphone\u00a0: tous les jours"],
      ["it", "90 giorni", "Telefono: ogni giorno"],
    ])
      for (const [page, part] of Object.entries({ privacy: `>${days}`, support: hours })) {
        const { text, headers } = await read(`/${page}`, { "Accept-Language": `${language}-CH,xx;q=0.9` });
        assert.ok(part && text.includes(part), `${page} ${part}`);
        assert.match(headers.get("vary") ?? "", /Accept-Language/);
        assert.equal(headers.get("set-cookie"), null);
      }
  });

  test("name the operator at the top and below, as do those for developers", async () => {
    for (const path of ["/", "/docs", "/docs/errors/forbidden", "/docs/sandbox", "/support", "/nothing"]) {
      const { text } = await read(path, { Accept: "text/html" });
      assert.match(text, /<p class="brand"><img src="\/logo" alt=""> <a href="\/">Alpine Cars<\/a>/, path);
      assert.equal(text.match(/<footer id="imprint"><p>Alpine Cars, Seeweg 5, 6003 Lucerne</g)?.length, 1, path);
    }
  });

  test("of the sandbox has one text to copy in each row", async () => {
    const [, , ...rows] = (await read("/docs/sandbox")).text.split("<tr>");
    assert.deepEqual([...new Set(rows.map((row) => row.split('class="copyable"').length - 1))], [1]);
  });

  test("name the operator with address, register and license, and its own policy", async () => {
    for (const page of ["privacy", "support"]) {
      const { text } = await read(`/${page}?lang=de`);
      for (const part of ["Alpine Cars, Seeweg 5, 6003 Lucerne", "CHE-116.281.710", "Lizenz 7 &#60;BAV&#62;"])
        assert.ok(text.includes(part), part);
    }
    assert.match((await read("/privacy")).text, /href="https:\/\/alpine\.test\/data"/);
  });

  test("name the systems that receive data, and no others", async () => {
    const { text: alone } = await read("/privacy");
    for (const each of ["A geocoder receives", "A routing engine receives", "own systems receive", "checkout reads"])
      assert.ok(!alone.includes(each), each);
    const { text } = await read("/privacy", {}, connected);
    assert.match(text, /A geocoder receives/);
    assert.match(text, /checkout reads the offer/);
    assert.doesNotMatch(text, /A routing engine receives|own systems receive/);
    assert.match(text, /nothing about the traveler<\/td><td[^>]*>the quote store<\/td><td[^>]*>2 days/);
  });

  test("have the same values in all languages", () => {
    for (const words of [...Object.values(about.words), ...about.kept.flatMap((row) => Object.values(row))])
      for (const language of OFFERED) {
        const values = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
        assert.deepEqual(values(words[language]), values(words.en), words[language]);
        assert.notEqual(words[language], "");
        assert.doesNotMatch(words.fr, / [:;?!»]|« /, "French punctuation keeps its word with a no-break space");
      }
  });

  test("are linked from the traveler's page in its language, whose imprint is complete before the offer is there", async () => {
    const { text } = await read("/checkout?lang=fr");
    for (const path of ["/privacy?lang=fr", "/support?lang=fr"]) assert.ok(text.includes(`href="${path}"`), path);
    assert.match(
      text,
      /Alpine Cars, Seeweg 5, 6003 Lucerne<.*Registre du commerce CHE-116\.281\.710.*Lizenz 7 &#60;BAV&#62;/s,
    );
  });
});

async function aServiceIn(t: TestContext, ...languages: readonly string[]) {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "operator.json", (operator) => Object.assign(operator, { languages }));
  const service = await aService(t, { env: { TRANSFER_CATALOG_DIR: folder } });
  const read = async (path: string, accepted: string) =>
    (await request(`${service.publicUrl}${path}`, { headers: { "Accept-Language": accepted } })).text;
  return { ...service, read };
}

const languageOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];
const linksIn = (html: string) => [...html.matchAll(/hreflang="(\w+)"/g)].map(([, language]) => language);

suite("pages are in the languages that the operator offers, and in no others", () => {
  test("by address and by browser, or in the first", async (t) => {
    const { read } = await aServiceIn(t, "it", "de");
    for (const page of ["/privacy", "/support", "/checkout"]) {
      for (const [query, accepted, language] of [
        ["", "de-CH,fr;q=0.9", "de"],
        ["", "fr-CH,en;q=0.9", "it"],
        ["", "fr-CH,de;q=0.2", "de"],
        ["", "*", "it"],
        ["?lang=de", "it", "de"],
        ["?lang=fr", "de", "de"],
        ["?lang=__proto__", "ja", "it"],
      ] as const)
        assert.equal(languageOf(await read(page + query, accepted)), language, `${page}${query} ${accepted}`);
      assert.deepEqual(linksIn(await read(page, "de")), ["it", "de"]);
    }
  });

  test("without links where there is one", async (t) => {
    const { read } = await aServiceIn(t, "fr");
    for (const page of ["/privacy", "/checkout"]) {
      const html = await read(page, "en");
      assert.equal(languageOf(html), "fr");
      assert.deepEqual(linksIn(html), []);
    }
  });

  test("and so are card and link", async (t) => {
    const { publicUrl, api, token } = await aServiceIn(t, "it", "de");
    const { client } = await anMcpClient(t, publicUrl, await token());
    const { contents } = await client.readResource({ uri: "ui://transfer-quote/card" });
    const [, packed = ""] = /id="catalog">(.*?)<\/script>/.exec(String(Object(contents[0]).text)) ?? [];
    const { languages, translations } = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString());
    assert.deepEqual(languages, ["it", "de"]);
    const used = new Set(Object.values<object>(translations).flatMap((each) => Object.keys(each)));
    assert.deepEqual([...used].sort(), ["de", "it"]);

    const body = { origin: "Zurich Airport", destination: "Zermatt", passengers: 2, luggage: 2 };
    const pickup = { pickup_datetime: "2027-01-20T10:00:00+01:00" };
    const { quote_id } = (await api("/quotes", { token: await token(), body: { ...body, ...pickup } })).body;
    const approved = { quote_id, fleet_id: 1, traveler_approval: true };
    const handoff = (await api("/checkout-sessions", { token: await token(), body: approved })).body;
    const page = (await api(linkPath(handoff))).body;
    assert.deepEqual(Object.keys(page.translations).sort(), ["de", "it"]);
  });
});

const inLanguage = (language?: string) => operatorIn(defaultCatalog.catalog, language);
let consent: Consent;
const app = express().get("/", (request, response) => sendConsentPage(consent, inLanguage, request, response));
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

for (const [language, allow, deny, license] of [
  ["en", "Allow", "Cancel", "Example license"],
  ["de", "Erlauben", "Abbrechen", "Beispiel einer Lizenz"],
  ["fr", "Autoriser", "Annuler", "Exemple de licence"],
  ["it", "Consentire", "Annullare", "Esempio di licenza"],
] as const) {
  test(`is in ${language}, and one of its two buttons stands out`, async () => {
    const { text } = await shown(
      { scopes: ["discovery", "quote:create", "quote:read-own", "checkout:prepare"] },
      language,
    );
    assert.match(text, new RegExp(`<html lang="${language}">`));
    assert.match(text, new RegExp(`class="button" name="answer" value="allow">${allow}</button>`));
    assert.match(text, new RegExp(`<button name="answer" value="deny">${deny}</button>`));
    assert.ok(text.includes(license), "so is what the operator has translated");
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
