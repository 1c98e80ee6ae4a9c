import assert from "node:assert/strict";
import { suite, test } from "node:test";
import about from "../../../rest-shim/site/about-words.json" with { type: "json" };
import { OFFERED } from "../../../src/domain/catalog/operator-schema.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { aService, request } from "../../support/service.ts";
import { wholeFile } from "../../support/whole-file.ts";

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
