import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { linkPath } from "../../support/machines.ts";
import { anMcpClient } from "../../support/mcp-client.ts";
import { aService, request } from "../../support/service.ts";

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
