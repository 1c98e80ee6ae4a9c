import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { fold, partsOf } from "../../src/places/index/fold.ts";

suite("names folded alike", () => {
  const ALIKE: readonly (readonly string[])[] = [
    ["Zürich", "Zuerich", "zurich", "ZÜRICH", "  Zu\u0308rich "],
    ["Saint-Moritz", "St. Moritz", "St Moritz", "Sankt Moritz", "ST.MORITZ"],
    ["Sainte-Croix", "Ste-Croix", "Ste. Croix", "STE CROIX"],
    ["Santa Maria", "St. Maria"],
    ["Genève", "Geneve", "GENÈVE", "Gene\u0300ve"],
    ["Neuchâtel", "Neuchatel"],
    ["Val d'Isère", "Val d’Isère", "val d isere", "VAL-D-ISERE"],
    ["Crans-Montana", "Crans Montana", "crans  montana", "Crans–Montana"],
    ["Lenzerheide/Lai", "Lenzerheide Lai", "Lenzerheide (Lai)"],
    ["Rheinfelden (Baden)", "Rheinfelden Baden"],
    ["Großstrasse", "Grossstraße"],
    ["Weissenburg", "Weißenburg"],
    ["Täsch", "Taesch", "Tasch", "Tä\u00adsch", "T\u2060asch", "\ufeffTäsch"],
    ["Köniz", "Koeniz", "Koniz"],
    ["Ærø", "Aro"],
    ["Lauterbrunnen, BE", "lauterbrunnen ,be", "Lauterbrunnen,   Be"],
    ["ＺＲＨ", "zrh"],
    ["Zürich\u00a0HB", "Zürich HB", "Zürich\tHB", "Zürich\u200bHB"],
  ];
  for (const names of ALIKE) {
    test(names.join(" = "), () => {
      assert.deepEqual(new Set(names.map(fold)).size, 1, names.map(fold).join(" | "));
    });
  }
});

suite("names that stay distinct", () => {
  const APART: readonly (readonly [string, string])[] = [
    ["Täsch", "Aesch"],
    ["Genf", "Längenfeld"],
    ["GVA", "Le Gua"],
    ["Wil SG", "Wil ZH"],
    ["Küsnacht", "Küssnacht"],
    ["Sion", "Seon"],
    ["Stans", "Sankt Ans"],
    ["Stein", "St. Ein"],
    ["Zürich, Bern", "Zürich Bern"],
  ];
  for (const [a, b] of APART) test(`${a} ≠ ${b}`, () => assert.notEqual(fold(a), fold(b)));
});

test("keeps letters of other scripts and drops what is not a letter", () => {
  assert.equal(fold("Цюрих"), "цюрих");
  assert.notEqual(fold("チューリッヒ"), "");
  for (const nothing of ["", "   ", "!?…", "💥🚕", "\u0000\u0007", "\u202e\u200f", "-/()'’"])
    assert.equal(fold(nothing), "");
});

test("omits empty comma parts", () => {
  assert.deepEqual(partsOf(fold("Bahnhofplatz 1, 3920  Zermatt ,, Schweiz,")), [
    "bahnhofplatz 1",
    "3920 zermatt",
    "schweiz",
  ]);
  assert.deepEqual(partsOf(fold(" , ,")), []);
});
