import { readFileSync } from "node:fs";
import { join } from "node:path";
import { API_EXAMPLES_FILE } from "../../rest-shim/api-examples.ts";
import { openApi } from "../../rest-shim/openapi.ts";
import { llmsText } from "../../rest-shim/site/site-router.ts";
import { jsonSchemaOf } from "../../src/contract/json-schema.ts";
import { SaleEventPayload } from "../../src/contract/sale-events.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { defaultCatalog } from "../../test/support/quoting-fixture.ts";
import { catalogJsonSchemas } from "./catalog-schemas.ts";
import { measuredTimes, timeErrors } from "./driving-times.ts";
import { withTables } from "./generated-tables.ts";
import { registryEntry } from "./listing.ts";
import { recordApiExamples } from "./record-api-examples.ts";
import { withEventExamples } from "./record-event-examples.ts";
import { distanceErrors } from "./road-distances.ts";
import { withMarked } from "./with-marked.ts";

const LOCAL_SITE = {
  publicUrl: "http://127.0.0.1:3000",
  issuer: "http://127.0.0.1:3000/dev-auth",
  oauth: {
    authorizationUrl: "http://127.0.0.1:3000/dev-auth/authorize",
    tokenUrl: "http://127.0.0.1:3000/dev-auth/oauth/token",
    clientId: "demo",
    audience: "https://transfer-quote.example/api",
  },
  operator: defaultCatalog.catalog.operator,
};

/** The files that `npm run docs` writes: path relative to the package, and content derived from the code. */
const DERIVED: Readonly<Record<string, (current: () => string) => string | Promise<string>>> = {
  "docs/connect.md": (current) => withTables(current(), ["tools"]),
  "docs/places.md": (current) => withTables(current(), ["readings"]),
  "docs/settings.md": (current) => withTables(current(), ["commands", "settings"]),
  "docs/maintainers/speed.md": (current) => withTables(current(), ["benchmark"]),
  "docs/rest.md": (current) => withTables(current(), ["operations", "errors"]),
  "docs/maintainers/roads.md": async (current) =>
    withMarked(withMarked(current(), "driving times", await timeErrors()), "distances", await distanceErrors()),
  "test/domain/routing/driving-times.measured.csv": measuredTimes,
  "docs/sandbox.md": (current) => withTables(current(), ["rehearsals"]),
  "docs/listing.md": (current) => withTables(current(), ["names"]),
  "server.json": () => json(registryEntry()),
  [API_EXAMPLES_FILE]: async () => json(await recordApiExamples()),
  "docs/operations/metrics.md": (current) => withTables(current(), ["metrics"]),
  "docs/llms.txt": () => llmsText(LOCAL_SITE),
  "docs/openapi.json": () => json(openApi(LOCAL_SITE)),
  "docs/operations/events.md": (current) => withEventExamples(current()),
  "docs/operations/events.schema.json": () => json(jsonSchemaOf(SaleEventPayload)),
  ...Object.fromEntries(Object.entries(catalogJsonSchemas).map(([path, schema]) => [path, () => json(schema)])),
};

export const derivedFiles = Object.entries(DERIVED).map(([path, derive]) => {
  const file = join(packageRoot, path);
  const current = () => readFileSync(file, "utf8");
  return { path, file, current, derived: () => derive(current) };
});

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
