import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf as priceLinesOf } from "../../../src/contract/charges.ts";
import { textsOf } from "../../../src/contract/notices.ts";
import type { Journey, PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { embeddedPricing } from "../../../src/operate/compose/embedded-pricing.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { aRouter } from "../../support/fake-router.ts";
import { defaultCatalog, pricing, refusalOf, totalOf } from "../../support/quoting-fixture.ts";

const price = pricing({ router: aRouter() });
const items = (...stated: readonly (readonly [string, number])[]) => ({
  specialItems: stated.map(([kind, count]) => ({ kind, count })),
});
const classesOf = ({ options }: PricedJourney) => options.map(({ vehicleClass }) => vehicleClass);
const linesOf = ({ options: [first] }: PricedJourney) =>
  first && priceLinesOf(first.charges).map(({ label, rappen }) => [label, rappen]);

suite("luggage", () => {
  test("no option has less room than the pieces that are stated as large", async () => {
    for (const [luggage, largeLuggage, smallest] of [
      [2, 2, "sedan"],
      [3, 2, "sedan"],
      [3, 3, "estate"],
      [4, 4, "van"],
      [8, 7, "minibus"],
      [20, 17, "coach"],
    ] as const) {
      const priced = await price({ luggage, largeLuggage });
      assert.equal(classesOf(priced)[0], smallest, `${largeLuggage} of ${luggage}`);
      for (const option of priced.options)
        assert.ok(option.luggageCapacity >= luggage && option.largeLuggageCapacity >= largeLuggage);
    }
  });

  test("where it is not stated how many are large, the limits of each class are said", async () => {
    const { notices } = await price({ luggage: 3 });
    const [limits] = notices.filter(({ code }) => code === "LARGE_LUGGAGE");
    assert.deepEqual(limits?.values, { luggage: 3, limits: [{ text: "2", classes: ["sedan", "first_class"] }] });
    for (const stated of [{ luggage: 3, largeLuggage: 0 }, { luggage: 2 }] satisfies Partial<Journey>[])
      assert.ok(!(await price(stated)).notices.some(({ code }) => code === "LARGE_LUGGAGE"));
  });

  test("more large pieces than pieces are rejected with the count to send", async () => {
    const { fieldErrors } = await refusalOf(price({ luggage: 2, largeLuggage: 3 }), "INVALID_REQUEST");
    assert.equal(fieldErrors.map(({ field }) => field).join(), "large_luggage");
    assert.match(fieldErrors[0]?.message ?? "", /which is 2 and counts all pieces; send a luggage of 3 or more/);
  });
});

suite("special items", () => {
  test("leave out the classes that they do not fit", async () => {
    assert.equal(classesOf(await price(items(["skis", 2])))[0], "sedan");
    assert.equal(classesOf(await price(items(["skis", 3])))[0], "estate");
    assert.equal(classesOf(await price(items(["skis", 2], ["golf_bag", 1])))[0], "estate");
    assert.equal(classesOf(await price(items(["bicycle", 2])))[0], "van");
    const { detail, nextAction } = await refusalOf(price(items(["bicycle", 16])), "NO_ELIGIBLE_VEHICLE");
    assert.match(detail, /, and takes 16 bicycles\./);
    const alone = await refusalOf(
      price({ passengers: 1, luggage: 1, ...items(["bicycle", 16]) }),
      "NO_ELIGIBLE_VEHICLE",
    );
    assert.match(alone.detail, / seats 1 passenger with 1 piece of luggage, and/);
    assert.match(nextAction, /The largest class, Coach, takes 50 passengers .* without some of the special items;/);
  });

  test("child seats take seats and no room", async () => {
    const child = { passengers: 4, adults: 2, children: 2 };
    assert.equal(classesOf(await price({ ...child, ...items(["child_seat", 2], ["skis", 4]) }))[0], "estate");
    assert.equal(classesOf(await price(items(["child_seat", 5])))[0], "van");
  });

  test("are lines of the price, for each item and direction, without surcharge or discount", async () => {
    const easter = { pickupAt: new Date("2027-03-28T02:00:00Z") };
    const plain = await price(easter);
    const seats = await price({ ...easter, ...items(["child_seat", 2], ["skis", 1]) });
    assert.equal((totalOf(seats) ?? 0) - (totalOf(plain) ?? 0), 3_000);
    assert.deepEqual(linesOf(seats)?.slice(-1), [["2 child seats", 3_000]], "skis are free");
    const one = await price({ ...easter, ...items(["child_seat", 1]) });
    assert.deepEqual(linesOf(one)?.slice(-1), [["1 child seat", 1_500]]);
    const returning = await price({ ...items(["child_seat", 2]), returnAt: new Date("2026-12-09T19:00:00Z") });
    assert.deepEqual(linesOf(returning)?.slice(-2), [
      ["Outbound: 2 child seats", 3_000],
      ["Return: 2 child seats", 3_000],
    ]);
  });

  test("say how they travel and who brings them", async () => {
    const { notices } = await price({ passengers: 3, adults: 2, infants: 1, ...items(["child_seat", 1], ["skis", 2]) });
    assert.deepEqual(textsOf(notices.filter(({ code }) => code === "SPECIAL_ITEM")), [
      "1 child seat: Brought by the driver. State the age and height of each child at booking.",
      "2 pairs of skis: In a ski bag, with the poles. Skis do not count as luggage; each bag of boots counts as one piece.",
    ]);
    assert.ok(!notices.some(({ code }) => code === "CHILD_SEATS"));
  });

  test("a party with more children and infants than child seats is told so", async () => {
    const party = { passengers: 4, adults: 2, children: 1, infants: 1 };
    const { notices } = await price({ ...party, ...items(["child_seat", 1]) });
    const [reminder] = notices.filter(({ code }) => code === "CHILD_SEATS");
    assert.deepEqual(reminder?.values, { ordered: 1, children: 2 });
  });

  test("children and infants whose adults are omitted are among the passengers, who decide the seats", async () => {
    const young = { adults: null, children: 1, infants: 1 };
    const party = await price({ ...young, passengers: 4 });
    assert.deepEqual([party.adults, classesOf(party)[0]], [4, classesOf(await price({ passengers: 4 }))[0]]);
    assert.deepEqual(
      party.notices.filter(({ code }) => code === "PARTY_DIFFERS"),
      [],
    );
    const stated = await price({ passengers: 4, adults: 4, children: 1, infants: 1 });
    assert.deepEqual(stated.notices.find(({ code }) => code === "PARTY_DIFFERS")?.values, {
      people: 6,
      passengers: 4,
      seats: 6,
    });
    const children = await price({ adults: null, children: 3, passengers: 1 });
    assert.deepEqual(children.notices.find(({ code }) => code === "PARTY_DIFFERS")?.values, {
      people: 3,
      passengers: 1,
      seats: 3,
    });
  });

  test("of an unknown kind, or of one kind twice, are rejected with the field", async () => {
    const odd = items(["skis", 1], ["surfboard", 1], ["skis", 2]);
    const { fieldErrors } = await refusalOf(price(odd), "INVALID_REQUEST");
    const offers = fieldErrors.map(({ field, candidates }) => `${field} ${candidates?.includes("bicycle")}`);
    assert.deepEqual(offers, ["special_items.1.kind true", "special_items.2.kind undefined"]);
  });

  test("a name that travelers use for a kind is that kind, and a misspelled one is rejected with the kind", async () => {
    // biome-ignore format: several fit on a line
    const names = {
      skis: ["ski", "Skis", "ski bags", "pair of skis"],
      snowboard: ["snowboards", "snow board"],
      golf_bag: ["Golf-clubs", "golf bag", "golf bags"],
      bicycle: ["bike", "bikes", "bicycles", "mountain bike"],
      wheelchair: ["wheelchairs", "wheel chair", "folding wheelchair"],
      stroller: ["Stroller", "prams", "buggy", "pushchair", "kinderwagen"],
      child_seat: ["child seat", "child-seats", "booster", "booster seats", "baby seat", "car seat"],
      pet: ["dog", "dogs", "cat", "cats", "pets", "puppy"],
      musical_instrument: ["cello", "cellos", "guitar", "violin", "musical instruments"],
    };
    for (const [kind, sent] of Object.entries(names))
      for (const each of sent) {
        const { specialItems } = await price(items([each, 1]));
        assert.deepEqual(specialItems, [{ kind, count: 1 }], each);
      }
    for (const [kind, sent] of Object.entries({ snowboard: "snowbord", bicycle: "bicicle", wheelchair: "weelchair" })) {
      const { fieldErrors } = await refusalOf(price(items([sent, 1])), "INVALID_REQUEST");
      assert.deepEqual(fieldErrors[0]?.candidates, [kind]);
      assert.match(fieldErrors[0]?.message ?? "", new RegExp(`^Unknown kind; send ${kind} for ${sent}`));
    }
    const twice = await refusalOf(price(items(["skis", 1], ["ski", 1])), "INVALID_REQUEST");
    assert.match(twice.fieldErrors[0]?.message ?? "", /^Duplicate; send skis once/);
  });

  test("a name that only resembles one is offered every kind, and the operator", async () => {
    for (const sent of ["surfboard", "car", "coat", "drums", "trolley", "rat"]) {
      const { fieldErrors, nextAction } = await refusalOf(price(items([sent, 1])), "INVALID_REQUEST");
      assert.equal(fieldErrors[0]?.candidates?.length, 9, sent);
      assert.match(
        nextAction,
        /^Ask the traveler .*\. For anything else the traveler asks Example Transfers \(\+41 .*@/,
      );
    }
  });

  test("what the operator does not offer is said to be so, with whom to ask", async () => {
    for (const [sent, item] of [
      ["electric wheelchair", "accessible vehicle"],
      ["Wheelchair-ramp", "accessible vehicle"],
      ["large dogs", "pet without a carrier"],
    ] as const) {
      const { fieldErrors, nextAction } = await refusalOf(price(items([sent, 1])), "INVALID_REQUEST");
      assert.deepEqual(
        fieldErrors.map(({ candidates }) => candidates),
        [undefined],
      );
      assert.match(
        fieldErrors[0]?.message ?? "",
        new RegExp(`^Not offered: ${item}; the traveler asks Example Transfers`),
      );
      assert.match(nextAction, /^Ask the traveler /);
    }
  });

  test("an operator can publish kinds of child seats and an accessible vehicle", async (t) => {
    const folder = aCatalogFolder(t);
    changeCatalog(folder, "luggage.json", (luggage) => {
      const seat = luggage.specialItems.find(({ kind }: { kind: string }) => kind === "child_seat");
      luggage.specialItems.push(
        { ...seat, kind: "infant_carrier", alsoCalled: ["baby seat"], one: "infant carrier", many: "infant carriers" },
        { ...seat, kind: "booster", alsoCalled: ["booster seat"], one: "booster", many: "boosters" },
        {
          kind: "accessible_vehicle",
          one: "accessible vehicle",
          many: "accessible vehicles",
          places: 3,
          text: "With a ramp.",
        },
      );
    });
    const own = pricing({ ...embeddedPricing({ catalogDir: folder }), router: aRouter() });
    const ordered = items(["baby seat", 1], ["booster seats", 2], ["accessible vehicle", 1]);
    const { specialItems, notices } = await own({ passengers: 4, adults: 1, children: 3, ...ordered });
    const kinds = specialItems.map(({ kind, count }) => `${count} ${kind}`);
    assert.deepEqual(kinds, ["1 infant_carrier", "2 booster", "1 accessible_vehicle"]);
    assert.ok(!notices.some(({ code }) => code === "CHILD_SEATS"));
    assert.match(textsOf(notices).join("\n"), /^1 accessible vehicle: With a ramp\.$/m);
  });

  test("each published kind fits a class", async () => {
    for (const { kind } of defaultCatalog.catalog.luggage.specialItems)
      assert.ok(classesOf(await price(items([kind, 1]))).length > 1, kind);
  });
});

suite("who fits into what", () => {
  const LARGE = ["van", "first_class_van", "minibus"];
  // biome-ignore format: a table reads by its columns
  const CASES: readonly (readonly [number, number, readonly string[]])[] = [
    [1, 0, ["sedan", "estate", "first_class", "van", "first_class_van"]],
    [3, 3, ["sedan", "estate", "first_class", "van", "first_class_van"]],
    [4, 0, ["estate", "van", "first_class_van"]], [3, 4, ["estate", "van", "first_class_van"]],
    [5, 0, LARGE], [1, 5, ["van", "first_class_van"]], [6, 7, LARGE], [7, 7, ["van", "minibus"]], [6, 8, ["van", "minibus"]],
    [8, 0, ["minibus"]], [12, 12, ["minibus", "coach"]], [2, 20, ["minibus", "coach"]],
    [16, 20, ["minibus", "coach"]], [17, 0, ["coach"]], [1, 21, ["coach"]], [2, 40, ["coach"]], [50, 60, ["coach"]],
  ];
  for (const [passengers, luggage, expected] of CASES) {
    test(`${passengers} passengers with ${luggage} pieces: ${expected.join(", ")}`, async () => {
      assert.deepEqual(classesOf(await price({ passengers, luggage, largeLuggage: 0 })), expected);
    });
  }

  test("a passenger or a piece too many for the largest class", async () => {
    await refusalOf(price({ passengers: 51, luggage: 0 }), "NO_ELIGIBLE_VEHICLE");
    await refusalOf(price({ passengers: 1, luggage: 61 }), "NO_ELIGIBLE_VEHICLE");
  });
});
