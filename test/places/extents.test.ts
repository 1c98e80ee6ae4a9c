import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createPlaceAt } from "../../src/places/extents.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";

const { catalog } = defaultCatalog;
const placeAt = createPlaceAt(catalog);

suite("the extent of a place", () => {
  test("contains the place's own coordinates, for every place but the second of two at one position", () => {
    const others = catalog.places.filter((place) => placeAt(place)?.id !== place.id);
    for (const place of others) {
      const { id, lat, lng } = placeAt(place) ?? assert.fail(place.id);
      const isNamesake = place.kind === "station" || Math.hypot(lat - place.lat, lng - place.lng) < 0.001;
      assert.ok(isNamesake, `${place.id} is ${id}`);
    }
  });

  test("is the smallest of those that contain a position", () => {
    for (const [lat, lng, id] of [
      [47.4504, 8.5617, "zurich-airport"],
      [46.2334, 6.1096, "geneva-airport"],
      [46.6882, 7.868, "interlaken"],
      [47.3769, 8.5417, "zurich"],
      [46.0207, 7.7491, "zermatt"],
    ] as const)
      assert.equal(placeAt({ lat, lng })?.id, id);
    assert.equal(placeAt({ lat: 46.54, lng: 8.3 }), undefined);
  });

  test("is what the catalog states", () => {
    const places = catalog.places.map((place) => (place.id === "zurich-airport" ? { ...place, radiusKm: 0.1 } : place));
    assert.notEqual(createPlaceAt({ ...catalog, places })({ lat: 47.4545, lng: 8.5646 })?.id, "zurich-airport");
  });
});
