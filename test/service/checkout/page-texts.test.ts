import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { NOTICES } from "../../../src/contract/notice-codes.ts";
import { pageTexts } from "../../support/page-texts.ts";

for (const language of ["en", "de", "fr", "it"]) {
  suite(`the traveler's page in ${language}`, () => {
    const { notices } = pageTexts(language);

    for (const folder of ["src/service/checkout/page", "src/servers/mcp/quote-card"])
      test(`has each English text of ${folder}, with its values`, () => {
        const english = pageTexts("en", folder);
        const { texts } = pageTexts(language, folder);
        assert.deepEqual(Object.keys(texts), Object.keys(english.texts));
        for (const [key, forms] of Object.entries(english.texts)) {
          const translated = texts[key];
          assert.equal(typeof translated, typeof forms, key);
          if (typeof forms === "string") assert.deepEqual(values(translated), values(forms), key);
          else
            for (const form of Object.values(translated ?? {}))
              assert.deepEqual(values(form), values(forms.other), key);
        }
      });

    test("has a sentence for each notice, with its values", () => {
      assert.deepEqual(new Set(Object.keys(notices)), new Set(Object.keys(NOTICES)));
      for (const [code, sentence] of Object.entries(NOTICES)) {
        assert.deepEqual(values(notices[code]), values(sentence), code);
      }
    });
  });
}

/** Names of the placeholders; another language may say one twice or in another order. */
function values(template: unknown): readonly string[] {
  const names = [...String(template).matchAll(/\{(\w+)/g)].map(([, name]) => name ?? "");
  return [...new Set(names)].sort();
}
