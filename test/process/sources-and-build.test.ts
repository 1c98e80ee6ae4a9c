import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { API_BASE } from "../../src/http/request.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { createRandom } from "../support/random.ts";
import { request } from "../support/service.ts";

const REQUESTS = 2_000;
const AT_ONCE = 20;
const SOURCES = ["--import", "tsx", join(packageRoot, "src", "cli.ts")];
const NAMED = ["Weißbad", "Goßau", "Küßnacht am Rigi", "Château-d'Œx", "Straßburg", "Genève Aéroport", "Sion, Œuvre"];
/** Ways to write a letter or two otherwise. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  ...([
    [/ss/g, "ß"],
    [/oe/g, "œ"],
    [/oe/g, "ö"],
    [/ae/g, "æ"],
    [/ue/g, "ü"],
    [/o/, "ø"],
    [/e/, "é"],
  ] as const),
  ...([
    [/a/, "å"],
    [/i/, "ı"],
    [/-/g, "–"],
    [/ /g, "\u00a0"],
    [/'/g, "’"],
    [/l/, "ł"],
    [/d/, "đ"],
  ] as const),
];
const BERN = { lat: 46.948, lng: 7.4474 };

test("the built program answers 2,000 requests with non-ASCII names as the sources do", {
  timeout: 240_000,
}, async (t) => {
  const env = {
    TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t),
    TRANSFER_DOCS_BASE: "https://docs.example",
    TRANSFER_LOG_LEVEL: "error",
  };
  const [built, sources] = await Promise.all([
    startBuiltServer(t, env),
    startBuiltServer(t, env, { program: SOURCES, cwd: packageRoot }),
  ]);
  const requests = generated();
  const statuses = new Map<number, number>();
  while (requests.length > 0) {
    await Promise.all(
      requests.splice(0, AT_ONCE).map(async (body) => {
        const [one, other] = await Promise.all([built, sources].map(({ publicUrl }) => answer(publicUrl, body)));
        assert.deepEqual(one, other, JSON.stringify(body));
        statuses.set(one?.status ?? 0, (statuses.get(one?.status ?? 0) ?? 0) + 1);
      }),
    );
  }
  // Both prices and refusals are compared.
  assert.ok((statuses.get(200) ?? 0) > 200 && (statuses.get(422) ?? 0) > 200, JSON.stringify([...statuses]));
});

test("the built program knows the letters of Switzerland's languages", async (t) => {
  const { publicUrl } = await startBuiltServer(t);
  for (const destination of ["Weißbad", "Goßau SG", "Küßnacht am Rigi", "Château-d'Œx"])
    assert.equal((await answer(publicUrl, aRealJourney({ destination }))).status, 200, destination);
  const elsewhere = await answer(publicUrl, aRealJourney({ waypoints: [{ name: "Straßburg", ...BERN }] }));
  assert.equal(elsewhere.status, 422);
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

function generated(): object[] {
  const { anyOf, upTo, random } = createRandom();
  const { places } = loadCatalog(DEFAULT_CATALOG);
  const names = [...NAMED, ...places.flatMap(({ name, aliases }) => [name, ...aliases])];
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
