import assert from "node:assert/strict";
import { test } from "node:test";
import { filled, type Placeholder, templateOf } from "../../src/contract/notice-formats.ts";

function written(text: string, values: Readonly<Record<string, string | number>>): string | undefined {
  const write = ({ name, format, forms }: Placeholder, value: string | number) =>
    format === "?" ? [] : forms ? [value === 1 ? forms.one : forms.other] : [`${name}=${value}`];
  return filled(templateOf(text), values, write)?.join("");
}

test("a sentence has its optional parts where their values are there", () => {
  const text = "Wait[ at {place}| for {count} {count|car|cars}|]:[{late?} it is late.][{early?} It is early.]";
  assert.equal(written(text, { place: "Bern" }), "Wait at place=Bern:");
  assert.equal(written(text, { count: 2, late: 1 }), "Wait for count=2 cars: it is late.");
  assert.equal(written(text, { place: "Bern", count: 2 }), "Wait at place=Bern:", "the first that is possible");
  assert.equal(written("{a} and {b}", { a: 1 }), undefined, "a value is missing");
});
