import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { SCOPES } from "../../src/calls/operation.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import type { Fields } from "../support/mcp-client.ts";

const read = (file: string) => readFileSync(join(packageRoot, file), "utf8");

suite("compose.yaml", () => {
  test("mounts files and folders that exist, but for those of the maps", () => {
    const mounted = [...read("compose.yaml").matchAll(/^ +- (?:\$\{\w+:-)?\.\/([^:}]+)\}?:\//gm)].map(
      ([, path = ""]) => path,
    );
    const own = mounted.filter((path) => path !== "maps");
    assert.deepEqual(own, [
      "fixtures/catalog",
      "docs/operations/keycloak-realm.json",
      "docs/operations/prometheus-rules.yml",
      "docs/operations/grafana-dashboard.json",
    ]);
    for (const path of own) assert.ok(existsSync(join(packageRoot, path)), path);
  });

  test("starts osrm-routed with limits that it accepts: -1, or more than 2", () => {
    const [, options = ""] = /command: \[osrm-routed,([^\]]*)\]/.exec(read("compose.yaml")) ?? [];
    assert.match(options, /\/maps\/[\w.-]+\.osrm$/);
    for (const [option, , limit] of options.matchAll(/--max-([\w-]+)(?:, |=)"?(-?\d+)/g))
      assert.ok(Number(limit) === -1 || Number(limit) > 2, option);
  });

  test("has a realm with every scope, and the audience of /mcp in every token", () => {
    const { clientScopes, clients }: Fields = JSON.parse(read("docs/operations/keycloak-realm.json"));
    const [required, ...scopes] = clientScopes;
    assert.deepEqual(scopes.map(({ name }: Fields) => name).sort(), [...SCOPES].sort());
    const config = required.protocolMappers.map((mapper: Fields) => mapper.config["included.custom.audience"]);
    assert.deepEqual(config, ["$" + "{TRANSFER_PUBLIC_URL}/mcp", undefined]);
    for (const { defaultClientScopes, optionalClientScopes } of clients) {
      assert.deepEqual(defaultClientScopes, [required.name]);
      assert.deepEqual([...optionalClientScopes].sort(), [...SCOPES].sort());
    }
  });
});
