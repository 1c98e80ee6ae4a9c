import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { packageRoot } from "../../src/ops/package-root.ts";
import { API_BASE } from "../../src/servers/http/request.ts";
import { FOUND, OUTSIDE, UNCLEAR, WITHOUT_PLACE } from "../domain/places/place-texts.ts";
import { ACCEPTED, REFUSED } from "../rest-shim/journey-bounds.ts";
import { FLAWED_CALLS } from "../servers/mcp/flawed-calls.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { createRandom } from "../support/random.ts";
import { request } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

/** Each spelling below is in several of them. */
const REQUESTS = 120;
const AT_ONCE = 20;
const SOURCES = ["--import", "tsx", join(packageRoot, "src", "cli.ts")];
const NAMED = ["Weißbad", "Goßau", "Küßnacht am Rigi", "Château-d'Œx", "Straßburg", "Genève Aéroport", "Sion, Œuvre"];
/** Ways to write a letter or two otherwise. */
// biome-ignore format: several fit on a line
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  ...([[/ss/g, "ß"], [/oe/g, "œ"], [/oe/g, "ö"], [/ae/g, "æ"], [/ue/g, "ü"], [/o/, "ø"], [/e/, "é"]] as const),
  ...([[/a/, "å"], [/i/, "ı"], [/-/g, "–"], [/ /g, "\u00a0"], [/'/g, "’"], [/l/, "ł"], [/d/, "đ"]] as const),
];
const names = [...NAMED, ...defaultCatalog.catalog.places.flatMap(({ name, aliases }) => [name, ...aliases])];
const BERN = { lat: 46.948, lng: 7.4474 };

const WAITS = { timeout: 300_000 };
const statuses = new Map<number, number>();
const env = {
  TRANSFER_CATALOG_DIR: aCatalogWithBudgets(wholeFile),
  TRANSFER_DOCS_BASE: "https://docs.example",
  TRANSFER_LOG_LEVEL: "error",
};
const servers = await Promise.all([
  startBuiltServer(wholeFile, env),
  startBuiltServer(wholeFile, env, { program: SOURCES, cwd: packageRoot }),
]);

async function ask(body: object): Promise<void> {
  const both = () => Promise.all(servers.map(({ publicUrl }) => answer(publicUrl, body)));
  let [one, other] = await both();
  // Some answers name the second in which they are given.
  for (let tries = 0; tries < 5 && !isDeepStrictEqual(one, other); tries += 1) [one, other] = await both();
  assert.deepEqual(one, other, JSON.stringify(body));
  statuses.set(one?.status ?? 0, (statuses.get(one?.status ?? 0) ?? 0) + 1);
}

/** The contract's journey tests, in a week from now. */
const journeys = (): object[] => {
  const day = String(aRealJourney().pickup_datetime).slice(0, 10);
  const flawed = FLAWED_CALLS.map(({ args }) => JSON.stringify(args).replaceAll("2026-12-08", day));
  const fields = [...ACCEPTED.map(([, each]) => each), ...REFUSED.map(([, each]) => each)];
  return [...fields.map((each) => aRealJourney({ ...each })), ...flawed.map((text) => JSON.parse(text))];
};

for (const [what, requests] of Object.entries({
  [`${REQUESTS} journeys between names with non-ASCII letters`]: generated,
  "the name of every place, and the texts of the place tests": placeTexts,
  "the bounds of every field, and the calls that agents get wrong": journeys,
}))
  test(`the built program answers as the sources do: ${what}`, WAITS, async () => {
    const left = requests();
    while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE).map(ask));
  });

test("prices and refusals are compared", () => {
  for (const [status, least] of [
    [200, 100],
    [404, 5],
    [422, 100],
  ] as const)
    assert.ok((statuses.get(status) ?? 0) >= least, JSON.stringify([...statuses]));
});

async function answer(publicUrl: string, body: object) {
  const { status, body: answered } = await request(`${publicUrl}${API_BASE}/quote-intents`, { body });
  // What differs between two calls.
  const own = ["request_id", "measured_at"];
  return {
    status,
    body: JSON.parse(JSON.stringify(answered), (key, value) => (own.includes(key) ? undefined : value)),
  };
}

function placeTexts(): object[] {
  const written = [...FOUND, ...UNCLEAR].map(([text]) => text);
  const texts = [...names, ...written, ...OUTSIDE, ...Object.values(WITHOUT_PLACE)];
  const journeys = Array.from({ length: Math.ceil(texts.length / 12) }, (_, n) => texts.slice(12 * n, 12 * n + 12));
  return journeys.map(([origin, destination = "Bern", ...stops]) =>
    aRealJourney({ origin, destination, waypoints: stops.map((name) => ({ name })) }),
  );
}

function generated(): object[] {
  const { anyOf, upTo, random } = createRandom();
  return Array.from({ length: REQUESTS }, journey);

  function journey(): object {
    const waypoint = { name: stop(), lat: BERN.lat + random() - 0.5, lng: BERN.lng + random() - 0.5 };
    return aRealJourney({ origin: stop(), destination: stop(), ...(upTo(3) === 0 && { waypoints: [waypoint] }) });
  }

  function stop(): string {
    let text = anyOf(names);
    for (let changes = upTo(2); changes > 0; changes -= 1)
      text = text.replace(...(anyOf(SPELLINGS) as [RegExp, string]));
    if (upTo(3) === 0) text = upTo(1) === 0 ? text.toUpperCase() : text.normalize("NFD");
    return text;
  }
}
