import assert from "node:assert/strict";
import { test } from "node:test";
import { translationsOf } from "../../src/quotes/translations-of.ts";

const TRANSLATIONS = {
  "child seat": { de: "Kindersitz", fr: "siège pour enfant" },
  "Easter Monday": { de: "Ostermontag" },
  "Sedan, large": { de: "Limousine, gross" },
  "Whit Monday": { de: "Pfingstmontag" },
};

test("finds whole texts, texts with a number before them, and texts in a row, by language", () => {
  const texts = ["Sedan, large", "3 child seat", "Easter Monday, Whit Monday", "Bern", "constructor", "1 toString", ""];
  assert.deepEqual(translationsOf(TRANSLATIONS, texts), {
    de: {
      "Sedan, large": "Limousine, gross",
      "3 child seat": "3 Kindersitz",
      "Easter Monday, Whit Monday": "Ostermontag, Pfingstmontag",
    },
    fr: { "3 child seat": "3 siège pour enfant" },
    it: {},
  });
});

test("leaves a row in English where one of its texts has no translation", () => {
  assert.deepEqual(translationsOf(TRANSLATIONS, ["Easter Monday, Nobody's Day"]).de, {});
});
