import assert from "node:assert/strict";
import { test } from "node:test";
import { classNames, englishWords, sentenceOf, templateOf } from "../../src/contract/notice-formats.ts";
import { namingClasses, notice, withValues } from "../../src/contract/notices.ts";

test("a sentence has its optional parts where their values are there", () => {
  const words = { ...englishWords(String), value: (name: string, value: unknown) => `${name}=${value}` };
  const written = (text: string, values: Readonly<Record<string, string | number>>) =>
    sentenceOf(templateOf(text), values, words)?.join("");
  const text = "Wait[ at {place}| for {count} {count|car|cars}|]:[{late?} it is late.][{early?} It is early.]";
  assert.equal(written(text, { place: "Bern" }), "Wait at place=Bern:");
  assert.equal(written(text, { count: 2, late: 1 }), "Wait for count=2 cars: it is late.");
  assert.equal(written(text, { place: "Bern", count: 2 }), "Wait at place=Bern:", "the first that is possible");
  assert.equal(written("{a} and {b}", { a: 1 }), undefined, "a value is missing");
});

test("a vehicle class is named by its type, as much of it as distinguishes it from the others", () => {
  const types = {
    sedan: "Sedan, e.g. A",
    small_van: "Van, e.g. B",
    large_van: "Van, e.g. C",
    bus: "Bus",
    night_bus: "Bus",
  };
  const nameOf = classNames(Object.entries(types).map(([id, type]) => ({ id, type })));
  const named = [...Object.keys(types), "sold_earlier"].map(nameOf);
  assert.deepEqual(named, ["Sedan", "Van, e.g. B", "Van, e.g. C", "Bus (bus)", "Bus (night_bus)", "sold_earlier"]);
});

test("a notice of an earlier version keeps its text where the sentence of today needs more", () => {
  const earlier = { code: "TOWN_DISTANCE", values: { from: "Bern" }, text: "In Bern." };
  assert.deepEqual(withValues(earlier, { to: "Bern" }), { ...earlier, values: { from: "Bern", to: "Bern" } });
});

test("the text of a notice has the names, its values the ids, and other notices are unchanged", () => {
  const classes = [{ classes: ["sedan", "van"] }];
  const notices = [notice("NOT_OFFERED", { classes, luggage: 4 }), notice("TOLL", { name: "sedan" })];
  const [named, other] = namingClasses(notices, (id) => id.toUpperCase());
  assert.equal(named?.text, "Not offered: SEDAN, VAN. There is no room for 4 pieces of luggage.");
  assert.deepEqual([named?.values, other], [notices[0]?.values, notices[1]]);
});
