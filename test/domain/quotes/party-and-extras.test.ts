import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { defaultCatalog, refusalOf } from "../../support/quoting-fixture.ts";
import { classesOf, quotes, told } from "../../support/told.ts";

const AT_ONCE = { measured: {} };
const { luggage, tariff } = defaultCatalog.catalog;
const price = quotes(AT_ONCE);

suite("who fits into what", () => {
  told(
    "no class with less room or fewer seats is offered, nor one that is far too large",
    AT_ONCE,
    `people 1; bags 0; large 0   -> offers sedan, estate, first_class, van, first_class_van
     people 3; bags 3; large 0   -> offers sedan, estate, first_class, van, first_class_van
     people 4; bags 0; large 0   -> offers estate, van, first_class_van
     people 3; bags 4; large 0   -> offers estate, van, first_class_van
     people 5; bags 0; large 0   -> offers van, first_class_van, minibus
     people 1; bags 5; large 0   -> offers van, first_class_van
     people 6; bags 7; large 0   -> offers van, first_class_van, minibus
     people 7; bags 7; large 0   -> offers van, minibus
     people 6; bags 8; large 0   -> offers van, minibus
     people 8; bags 0; large 0   -> offers minibus
     people 12; bags 12; large 0 -> offers minibus, coach on request
     people 2; bags 20; large 0  -> offers minibus, coach on request
     people 16; bags 20; large 0 -> offers minibus, coach on request
     people 17; bags 0; large 0  -> offers coach on request
     people 1; bags 21; large 0  -> offers coach on request
     people 50; bags 60; large 0 -> offers coach on request
     people 51; bags 0; large 0  -> refuses NO_ELIGIBLE_VEHICLE
     people 1; bags 61; large 0  -> refuses NO_ELIGIBLE_VEHICLE`,
  );
  told(
    "no class has less room than the pieces that are stated as large",
    AT_ONCE,
    `bags 3; large 2   -> offers sedan, estate, first_class, van, first_class_van
     bags 3; large 3   -> offers estate, van, first_class_van
     bags 4; large 4   -> offers van, first_class_van
     bags 8; large 7   -> offers minibus, coach on request
     bags 20; large 17 -> offers coach on request`,
  );
  test("where some class is named as not offered, each class is either offered or named", async () => {
    for (const party of [
      "people 2; bags 4",
      "people 5; bags 8",
      "people 3; bags 2; with 3 golf_bag",
      "people 6; bags 8",
    ]) {
      const priced = await price(party);
      const refused = priced.notices.flatMap(({ code, values: { classes } }) =>
        code === "NOT_OFFERED" && typeof classes === "object" ? classes.flatMap((each) => each.classes ?? []) : [],
      );
      const all = [...priced.options.map(({ vehicleClass }) => vehicleClass), ...refused];
      assert.deepEqual(all.sort(), defaultCatalog.catalog.vehicleClasses.map(({ id }) => id).sort(), party);
    }
    assert.ok(!(await price("people 2; bags 2")).notices.some(({ code }) => code === "NOT_OFFERED"));
  });

  told(
    "the limit of large pieces is said where it is not stated how many are large",
    AT_ONCE,
    `bags 3          -> says At most 2 (Sedan, First-class sedan) of the 3 pieces of luggage may be large.
     bags 3; large 0 -> never may be large
     bags 2          -> never may be large
     bags 2; large 3 -> refuses INVALID_REQUEST
      -> says large_luggage: …which is 2 and counts all pieces; send a luggage of 3 or more`,
  );
  told(
    "a party that no class has room for hears the largest class and the phone",
    { ...AT_ONCE, rules: { vehicleClasses: defaultCatalog.catalog.vehicleClasses.filter(({ id }) => id !== "coach") } },
    `people 20; bags 20 -> refuses NO_ELIGIBLE_VEHICLE
      -> says largest class, Minibus, takes 16 passengers …+41 00 000 00 00`,
  );
  told(
    "children and infants whose adults are omitted are among the passengers, who decide the seats",
    AT_ONCE,
    `people 4; children 1; infants 1           -> offers estate, van, first_class_van
      -> says Adults were not stated: the 4 passengers are all travelers, children and infants among them.
      -> never in all
     people 4; adults 4; children 1; infants 1 -> offers van, first_class_van, minibus
      -> never Adults were not stated
      -> says Adults, children and infants are 6 in all, but passengers are 4; the vehicles have room for 6.
     people 1; children 3                      -> says are 3 in all, but passengers are 1; the vehicles have room for 3.`,
  );
});

suite("special items", () => {
  told(
    "leave out the classes that they do not fit, and child seats take no room",
    AT_ONCE,
    `with 2 skis                                             -> offers sedan, estate, first_class, van, first_class_van
     with 3 skis                                             -> offers estate, van, first_class_van
     with 2 skis, 1 golf_bag                                 -> offers estate, van, first_class_van
     with 2 bicycle                                          -> offers van
     people 4; adults 2; children 2; with 2 child_seat, 4 skis -> offers estate, van, first_class_van
     with 16 bicycle                                         -> refuses NO_ELIGIBLE_VEHICLE
      -> says , and takes 16 bicycles.
      -> says The largest class, Coach, takes 50 passengers … without some of the special items;
     people 1; bags 1; with 16 bicycle                       -> refuses NO_ELIGIBLE_VEHICLE
      -> says  seats 1 passenger with 1 piece of luggage, and`,
  );
  told(
    "are lines of the price, for each item and direction, without surcharge or discount",
    { ...AT_ONCE, rules: { seasons: [] } },
    `at 2027-03-28 04:00; with 2 child_seat, 1 skis -> pays 30000 Transfer 100 km + 6000 Night surcharge + 3000 Holiday surcharge + 3000 2 child seats = 42000
     with 1 child_seat -> pays 30000 Transfer 100 km + 1500 1 child seat = 31500
     at 14:00; back 20:00; with 2 child_seat -> costs 60000 - 60000 / 20 + 2 × 3000 = 63000`,
  );
  told(
    "are charged once on a return journey where the operator says so",
    { measured: {}, rules: { tariff: { ...tariff, specialItemTerms: { child_seat: { per: "journey" } } } } },
    "at 14:00; back 2026-12-10 14:00; with 2 child_seat -> costs 60000 + 2 × 1500 = 63000",
  );
  told(
    "say how they travel and who brings them, and a party is told of a missing child seat",
    AT_ONCE,
    `people 3; adults 2; infants 1; with 1 child_seat, 2 skis
      -> says 1 child seat: Brought by the driver. State the age and height of each child at booking.
      -> says 2 pairs of skis: In a ski bag, with the poles. Skis do not count as luggage; each bag of boots counts as one piece.
      -> never Order one for each child
     people 4; adults 2; children 1; infants 1; with 1 child_seat -> says For 2 children, 1 child seat is ordered.`,
  );
  told(
    "of an unknown kind, or too many of one kind, are rejected with the field",
    AT_ONCE,
    `with 1 skis, 1 surfboard, 2 skis -> refuses INVALID_REQUEST
      -> says special_items.1.kind: Unknown kind
      -> never special_items.2
     with 1 pet, 30 skis, 21 ski -> refuses INVALID_REQUEST
      -> says special_items.1.count: At most 50 in all, not 51.
     with 1 surfboard, 1 kayak -> refuses INVALID_REQUEST
      -> says special_items.0.kind: Unknown kind; offered are skis
      -> says special_items.1.kind: Unknown kind.
     with 1 surfboard -> refuses INVALID_REQUEST
      -> says Ask the traveler … For anything else the traveler asks Example Transfers (+41
     with 1 skis, 2 ski -> says 3 pairs of skis (for 2 ski): In a ski bag
     with 1 child_seat, 1 baby_seat, 1 booster_seat -> says 3 child seats (for 1 baby seat, 1 booster seat): Brought by the driver.
     with 2 baby_seat  -> says 2 child seats (for baby seat): Brought by the driver.
     with 1 siège enfant -> says 1 child seat (for siège enfant): Brought by the driver.
     with 2 paires de skis -> says 2 pairs of skis (for paires de skis)
     with 2 child-seats -> says 2 child seats: Brought by the driver.
     with 1 snowbord -> refuses INVALID_REQUEST
      -> says Unknown kind; send snowboard for snowbord
     with 1 bicicle -> refuses INVALID_REQUEST
      -> says Unknown kind; send bicycle for bicicle
     with 1 electric wheelchair -> refuses INVALID_REQUEST
      -> says Not offered: accessible vehicle.
      -> says No other kind replaces what is not offered; the traveler asks Example Transfers
     with 1 electric wheelchair, 1 surfboard, 1 snowbord -> refuses INVALID_REQUEST
      -> says what is not offered; …one of the kinds that are offered …Do what the message of each field says.
     with 1 Wheelchair-ramp -> refuses INVALID_REQUEST
      -> says Not offered: accessible vehicle.
      -> says No other kind replaces what is not offered; the traveler asks Example Transfers
     with 1 e_bike, 1 E-Velo -> refuses INVALID_REQUEST
      -> says special_items.0.kind: Not offered: e-bike.
      -> says special_items.1.kind: Not offered: e-bike.
     with 1 large dogs -> refuses INVALID_REQUEST
      -> says Not offered: pet without a carrier.
      -> says No other kind replaces what is not offered; the traveler asks Example Transfers`,
  );
  for (const each of ["surfboard", "car", "coat", "drums", "trolley", "rat"])
    test(`a ${each}, which only resembles a kind, is offered every kind`, async () => {
      const { fieldErrors } = await refusalOf(price(`with 1 ${each}`), "INVALID_REQUEST");
      assert.equal(fieldErrors[0]?.candidates?.length, luggage.specialItems.length);
    });

  // biome-ignore format: several fit on a line
  const NAMES = {
    skis: ["ski", "Skis", "ski bags", "pair of skis"], snowboard: ["snowboards", "snow board"],
    golf_bag: ["Golf-clubs", "golf bag", "golf bags"], bicycle: ["bike", "bikes", "bicycles", "mountain bike"],
    wheelchair: ["wheelchairs", "wheel chair", "folding wheelchair"],
    stroller: ["Stroller", "prams", "buggy", "pushchair", "kinderwagen"],
    child_seat: ["child seat", "child-seats", "booster", "booster seats", "baby seat", "car seat"],
    pet: ["dog", "dogs", "cat", "cats", "pets", "puppy"],
    musical_instrument: ["cello", "cellos", "guitar", "violin", "musical instruments"],
  };
  for (const [kind, names] of Object.entries(NAMES))
    test(`${kind} are understood by the names that travelers use, and fit more than one class`, async () => {
      for (const each of names) {
        const priced = await price(`with 1 ${each}`);
        assert.deepEqual(priced.specialItems, [{ kind, count: 1 }], each);
        assert.ok(classesOf(priced).length > 1);
      }
    });

  test("an operator can publish kinds of child seats and an accessible vehicle", async () => {
    const seat = luggage.specialItems.find(({ kind }) => kind === "child_seat") ?? assert.fail("no child seat");
    const specialItems = [
      ...luggage.specialItems,
      { ...seat, kind: "infant_carrier", alsoCalled: ["baby seat"], one: "infant carrier", many: "infant carriers" },
      { ...seat, kind: "booster", alsoCalled: ["booster seat"], one: "booster", many: "boosters" },
      {
        kind: "accessible_vehicle",
        one: "accessible vehicle",
        many: "accessible vehicles",
        places: 3,
        text: "A ramp.",
      },
    ];
    const own = quotes({ ...AT_ONCE, rules: { luggage: { ...luggage, specialItems } } });
    const priced = await own("people 4; adults 1; children 3; with 1 baby seat, 2 booster seats, 1 accessible vehicle");
    const kinds = priced.specialItems.map(({ kind, count }) => `${count} ${kind}`);
    assert.deepEqual(kinds, ["1 infant_carrier", "2 booster", "1 accessible_vehicle"]);
    assert.ok(!priced.notices.some(({ code }) => code === "CHILD_SEATS"));
    assert.ok(priced.limitations.includes("1 accessible vehicle: A ramp."));
  });
});
