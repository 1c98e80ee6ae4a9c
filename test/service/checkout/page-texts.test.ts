import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { attributesOf, NOTICES, type NoticeCode } from "../../../src/contract/notice-codes.ts";
import { packageRoot, readPackageFile } from "../../../src/ops/package-root.ts";
import { LANGUAGES, pageTexts } from "../../support/page-texts.ts";

const PAGE = "src/service/checkout/page";
const CARD = "src/servers/mcp/quote-card";
/** The sources of each section, and the texts that they use by a key that is put together. */
const SECTIONS = { view: ["src/service/checkout/view", PAGE, CARD], page: [PAGE], card: [CARD] } as const;
const english = pageTexts("en");

for (const [section, folders] of Object.entries(SECTIONS) as [keyof typeof SECTIONS, readonly string[]][])
  test(`every text for the ${section} is used there`, () => {
    const sources = folders.flatMap((folder) =>
      readdirSync(join(packageRoot, folder))
        .filter((file) => /\.(ts|html)$/.test(file))
        .map((file) => readPackageFile(`${folder}/${file}`)),
    );
    const text = sources.join("\n");
    const starts = [...text.matchAll(/`(\w+_)\$\{/g)].map(([, start = ""]) => start);
    const ends = [...text.matchAll(/\}(_\w+)`/g)].map(([, end = ""]) => end);
    const unused = Object.keys(english[section]).filter(
      (key) =>
        !new RegExp(`["{]${key}["}]`).test(text) &&
        !starts.some((start) => key.startsWith(start)) &&
        !ends.some((end) => key.endsWith(end)),
    );
    assert.deepEqual(unused, []);
  });

for (const language of LANGUAGES)
  suite(`the texts in ${language}`, () => {
    const texts = pageTexts(language);

    test("are those of English, with their values", () => {
      for (const section of ["view", "page", "card"] as const) {
        assert.deepEqual(Object.keys(texts[section]).sort(), Object.keys(english[section]).sort());
        for (const [key, forms] of Object.entries(english[section])) {
          const translated = texts[section][key] ?? "";
          assert.equal(typeof translated, typeof forms, key);
          for (const form of typeof translated === "string" ? [translated] : Object.values(translated))
            assert.deepEqual(values(form), values(typeof forms === "string" ? forms : forms.other), key);
        }
      }
    });

    test("have a sentence for each notice, with its values", () => {
      // Those that the view shows by itself need none.
      const codes = (Object.keys(NOTICES) as NoticeCode[]).filter((code) => !attributesOf(code).in_legs);
      assert.deepEqual(new Set(Object.keys(texts.notices)), new Set(codes));
      for (const code of codes) assert.deepEqual(values(texts.notices[code]), values(NOTICES[code]), code);
    });

    test("keep a number with its unit, and in French a word with its punctuation, on one line", () => {
      const breaking =
        language === "fr" ? / [:;?!»%]|« |[\d}] (?:h|km|min|s)(?![\w’])/u : /[\d}] (?:%|(?:h|km|min|s)\b)/u;
      const { view, page, card, notices } = texts;
      for (const each of Object.values({ ...view, ...page, ...card, ...notices }))
        for (const text of typeof each === "string" ? [each] : Object.values(each)) assert.doesNotMatch(text, breaking);
    });

    test("begin sentences with a capital letter, unless with a name", () => {
      const lower = Object.entries(texts.notices).filter(([, sentence]) => /^\p{Ll}/u.test(sentence));
      assert.deepEqual(lower, []);
    });
  });

/** Names of the placeholders; another language may say one twice or in another order. */
function values(template: unknown): readonly string[] {
  const names = [...String(template).matchAll(/\{(\w+)/g)].map(([, name]) => name ?? "");
  return [...new Set(names)].sort();
}
