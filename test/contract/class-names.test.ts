import assert from "node:assert/strict";
import { test } from "node:test";
import { classNames } from "../../src/contract/notice-formats.ts";
import { namingClasses, notice } from "../../src/contract/notices.ts";

test("a vehicle class is named by its type, as much of it as tells it from the others", () => {
  const nameOf = classNames([
    { id: "sedan", type: "Sedan, e.g. A" },
    { id: "small_van", type: "Van, e.g. B" },
    { id: "large_van", type: "Van, e.g. C" },
    { id: "bus", type: "Bus" },
    { id: "night_bus", type: "Bus" },
  ]);
  const named = ["sedan", "small_van", "large_van", "bus", "night_bus", "sold_earlier"].map(nameOf);
  assert.deepEqual(named, ["Sedan", "Van, e.g. B", "Van, e.g. C", "Bus (bus)", "Bus (night_bus)", "sold_earlier"]);
});

test("the text of a notice has the names, its values the ids, and other notices are unchanged", () => {
  const classes = [{ classes: ["sedan", "van"] }];
  const notices = [notice("NOT_OFFERED", { classes, luggage: 4 }), notice("TOLL", { name: "sedan" })];
  const [named, other] = namingClasses(notices, (id) => id.toUpperCase());
  assert.equal(named?.text, "Not offered: SEDAN, VAN. There is no room for 4 pieces of luggage.");
  assert.deepEqual(named?.values, notices[0]?.values);
  assert.equal(other, notices[1]);
});
