// Checks what needs containers, without any: compose.yaml by the schema of the Compose specification, the configuration
// of Prometheus in it by promtool, and the realm by the types of Keycloak's own client. Fails on a mistake.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = installPackages(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(folder, "node_modules", ".bin", name);

copyFileSync(join(root, "compose.yaml"), join(folder, "compose.yaml"));
// Its other rules are of taste; this one cannot be switched off.
run(bin("dclint"), "--quiet", "compose.yaml");

const realm = readFileSync(join(root, "docs/operations/keycloak-realm.json"), "utf8");
const types = "@keycloak/keycloak-admin-client/lib/defs/realmRepresentation.js";
// As a literal, so that an unknown field is an error.
writeFileSync(join(folder, "realm.ts"), `import type R from "${types}";\nexport const realm: R = ${realm};\n`);
const options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
run(bin("tsc"), ...options, "realm.ts");

const [, configuration = ""] = /^ {2}prometheus:\n {4}content: \|\n((?: {6}.*\n)+)/m.exec(read("compose.yaml")) ?? [];
writeFileSync(join(folder, "prometheus.yml"), configuration.replace(/^ {6}/gm, ""));
copyFileSync(join(root, "docs/operations/prometheus-rules.yml"), join(folder, "rules.yml"));
run("promtool", "check", "config", "prometheus.yml");
process.stdout.write("compose.yaml, the configuration of Prometheus and the realm of Keycloak: no findings\n");

function read(file) {
  return readFileSync(join(folder, file), "utf8");
}

function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status === 0) return;
  process.stderr.write(`${command}:\n${stdout ?? ""}${stderr ?? ""}${error ?? ""}\n`);
  process.exit(1);
}
