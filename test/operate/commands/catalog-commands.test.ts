import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { auditFolder } from "../../../src/operate/commands/check.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { aFolder } from "../../support/lifetime.ts";
import type { Fields } from "../../support/mcp-client.ts";

suite("places lists ids with the zones that contain them", () => {
  for (const [text, ...ids] of [
    ["zrh", "zurich-airport"],
    ["Küsnacht", "kusnacht-zh"],
    ["7270", "davos", "davos-platz", "schatzalp"],
    ["davos-valley", "davos", "davos-dorf-station"],
  ] as const)
    test(`by ${text}`, async (t) => {
      const { code, stdout } = await runCommand(t, ["places", text, "--json"]);
      const rows: Fields[] = JSON.parse(stdout);
      assert.equal(code, 0);
      for (const id of ids)
        assert.ok(
          rows.some((row) => row.id === id),
          `${id} in ${stdout}`,
        );
      assert.ok(rows.length < 10, stdout);
    });

  test("by a code before a part of a name", async (t) => {
    const { places } = loadCatalog(packagedCatalog);
    for (const [text, isMeant] of [
      ["at", ({ country }: (typeof places)[number]) => country === "AT"],
      ["GR", ({ canton }: (typeof places)[number]) => canton === "GR"],
    ] as const) {
      const rows: Fields[] = JSON.parse((await runCommand(t, ["places", text, "--json"])).stdout);
      assert.deepEqual(
        rows.map(({ id }) => id),
        places.filter(isMeant).map(({ id }) => id),
      );
    }
  });

  test("with name, kind, canton and postcodes, in a table", async (t) => {
    const { stdout } = await runCommand(t, ["places", "davos-dorf"]);
    assert.match(stdout, /^id +name +kind +canton +postcodes +zones *\n/);
    assert.match(stdout, /^davos-dorf +Davos Dorf +resort +GR +7260 +davos-valley$/m);
  });

  test("all of them without a text", async (t) => {
    const { stdout } = await runCommand(t, ["places", "--json"]);
    assert.equal(JSON.parse(stdout).length, loadCatalog(packagedCatalog).places.length);
  });

  test("and names what is near where it finds none", async (t) => {
    const { code, stdout, stderr } = await runCommand(t, ["places", "Davoss"]);
    assert.deepEqual([code, stdout, stderr], [1, "", 'no place or zone has "Davoss"; did you mean davos?\n']);
  });
});

const POLICY = "Free cancellation";

suite("translations writes what is to be translated", () => {
  const skeletonOf = async (t: Parameters<typeof runCommand>[0], folder: string, ...options: readonly string[]) =>
    JSON.parse((await runCommand(t, ["translations", ...options, "--catalog", folder])).stdout);

  test("with --missing the exact texts that lack an offered language, which check accepts once they are filled in", async (t) => {
    const folder = aCatalogFolder(t);
    changeCatalog(folder, "operator.json", (operator) =>
      Object.assign(operator, {
        ...{ languages: ["de", "it"], name: "Alpenglanz", phone: "+41 81 410 20 30", email: "a@alpenglanz.test" },
        ...{ website: undefined, termsUrl: undefined, vatNumber: undefined, registerNumber: undefined },
        ...{ postalAddress: undefined, privacyUrl: undefined },
        ...{ license: "Lizenz  7\u00a0<BAV>", phoneHours: "daily", paymentMethods: "cash" },
      }),
    );
    changeCatalog(folder, "tariff.json", (tariff) => delete tariff.vat);
    changeCatalog(folder, "translations.json", ({ texts }) => {
      texts.daily = { de: "täglich" };
      texts.cash = { de: "bar", fr: "espèces", it: "" };
      for (const each of Object.values<Fields>(texts)) delete each.fr;
      // A skeleton that is not filled in yet, with a placeholder in the English text.
      for (const [english, each] of Object.entries<Fields>(texts)) if (english.startsWith(POLICY)) each.it = "";
    });
    const findings = () => auditFolder(folder, folder).findings.filter(({ file }) => file === "translations.json");
    assert.deepEqual(
      findings().map(({ path, text }) => `${path}: ${text}`),
      [
        'de: not translated: "Lizenz  7\u00a0<BAV>": the command translations --missing writes them to fill in',
        'it: not translated: "Free cancellation with a full refund up to {fullRefundCutof…", "Lizenz  7\u00a0<BAV>", "daily" and 1 more: the command translations --missing writes them to fill in',
      ],
    );
    assert.equal(loadCatalog(folder).translations.cash?.it, undefined, "an empty translation is none");
    const { texts } = await skeletonOf(t, folder, "--missing");
    const [policy = "", ...others] = Object.keys(texts);
    assert.deepEqual([policy.startsWith(POLICY), texts[policy].it, others.length], [true, "", 3]);
    const filledIn = {
      ...texts,
      [policy]: { ...texts[policy], it: "Gratis fino a {fullRefundCutoffHours} ore prima." },
    };
    delete texts[policy];
    assert.deepEqual(texts, {
      "Lizenz  7\u00a0<BAV>": { de: "", it: "" },
      daily: { de: "täglich", it: "" },
      cash: { de: "bar", it: "" },
    });
    changeCatalog(folder, "translations.json", (file) =>
      Object.assign(file.texts, JSON.parse(JSON.stringify(filledIn).replaceAll('""', '"Tradotto"'))),
    );
    assert.deepEqual(findings(), []);
    assert.deepEqual((await skeletonOf(t, folder, "--missing")).texts, {});
    const all = await skeletonOf(t, folder);
    assert.deepEqual(all.texts.cash, { de: "bar", it: "Tradotto" });
    assert.ok(Object.keys(all.texts).length > 50, join(folder));
  });
});

test("check names a client without a credential, whose prices nobody would get", async (t) => {
  const folder = aCatalogFolder(t);
  writeFileSync(join(folder, "clients.json"), JSON.stringify({ clients: [{ id: "hotel", percent: -8 }] }));
  const env = {
    ...{ TRANSFER_DATA_DIR: aFolder(t), TRANSFER_CATALOG_DIR: folder, TRANSFER_ISSUER: "embedded" },
    ...{ TRANSFER_PUBLIC_URL: "https://quotes.test", TRANSFER_TRUST_PROXY: "loopback" },
  };
  const clients = async () => {
    const { stdout } = await runCommand(t, ["check", "--json"], env);
    return JSON.parse(stdout).rows.filter(({ name }: Fields) => name === "clients");
  };
  const text = "without a credential, so that nobody gets their prices: hotel";
  assert.deepEqual(await clients(), [{ name: "clients", state: "WARNING", text }]);
  assert.equal((await runCommand(t, ["credentials", "add", "hotel", "--machine"], env)).code, 0);
  assert.deepEqual(await clients(), []);
});
