import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type Config, checkListening, readConfig } from "../../../src/operate/config/config.ts";
import { ConfigError } from "../../../src/operate/config/setting.ts";
import { settings } from "../../../src/operate/config/settings.ts";
import { packageRoot } from "../../../src/ops/package-root.ts";

const LONG = "a-secret-of-at-least-32-characters-1";
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes).toString("base64")}`;
const SECRET_OF_32_BYTES = `whsec_${Buffer.alloc(32, "password-1").toString("base64")}`;
const ISSUER = { TRANSFER_AUTH_ISSUER: "https://id.example/", TRANSFER_AUTH_AUDIENCE: "https://api.example" };

function mistakeOf(env: NodeJS.ProcessEnv): string {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    assert.doesNotMatch(error.message, /[\r\n]/);
    return error.message;
  }
  throw new assert.AssertionError({ message: `accepted: ${JSON.stringify(env)}` });
}

test("has defaults that work on a laptop", () => {
  const { httpHost, httpPort, catalogDir, dataDir, unknownVariables, ...config } = readConfig({});
  assert.deepEqual([httpHost, httpPort, unknownVariables], ["127.0.0.1", 3000, []]);
  assert.equal(catalogDir, join(packageRoot, "fixtures", "catalog"));
  assert.match(dataDir, /transfer-quote-mcp/);
  for (const key of ["publicUrl", "authIssuer", "checkoutUrl", "checkoutSecrets", "accessToken", "trustProxy"] as const)
    assert.equal(config[key], undefined, key);
});

test("has the sandbox on with the development issuer, and with an external one where it is asked for", () => {
  assert.equal(readConfig({}).sandbox, true);
  assert.equal(readConfig({ ...ISSUER, TRANSFER_SANDBOX: " " }).sandbox, false);
  assert.equal(readConfig({ ...ISSUER, TRANSFER_SANDBOX: "true" }).sandbox, true);
});

test("treats an empty or blank variable as unset", () => {
  const blank = Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, " "]));
  const { unknownVariables: _, ...config } = readConfig(blank);
  const { unknownVariables: __, ...defaults } = readConfig({});
  assert.deepEqual(config, defaults);
});

// biome-ignore format: a table reads by its columns
const RIGHT: readonly [string, string, keyof Config, unknown][] = [
  ["TRANSFER_HTTP_HOST", "::1", "httpHost", "::1"],
  ["TRANSFER_HTTP_PORT", " 8080 ", "httpPort", 8080],
  ["TRANSFER_HTTP_PORT", "0", "httpPort", 0],
  ["TRANSFER_PUBLIC_URL", "https://Quotes.example.com/", "publicUrl", "https://quotes.example.com"],
  ["TRANSFER_CATALOG_DIR", "./catalog", "catalogDir", "./catalog"],
  ["TRANSFER_AUTH_AUDIENCE", "https://a.example/, b", "authAudiences", ["https://a.example/", "b"]],
  ["TRANSFER_BLOCKED_SUBJECTS", "a|1, b ,c", "blockedSubjects", ["a|1", "b", "c"]],
  ["TRANSFER_CHECKOUT_ENABLED", "false", "checkoutEnabled", false],
  ["TRANSFER_CHECKOUT_CONTINUE_URL", "http://[::1]:4242/", "checkoutContinueUrl", "http://[::1]:4242/"],
  ["TRANSFER_CHECKOUT_URL", "https://pay.example.com/x?y=1", "checkoutUrl", "https://pay.example.com/x?y=1"],
  ["TRANSFER_CHECKOUT_SECRET", `${LONG}, ${LONG}2`, "checkoutSecrets", [LONG, `${LONG}2`]],
  ["TRANSFER_DOCS_BASE", "https://docs.example.com/api/", "docsBase", "https://docs.example.com/api"],
  ["TRANSFER_TRUST_PROXY", "loopback,10.0.0.0/8,::1", "trustProxy", "loopback,10.0.0.0/8,::1"],
  ["TRANSFER_ALLOWED_ORIGINS", "https://a.example/,http://b:1", "allowedOrigins", ["https://a.example", "http://b:1"]],
  ["TRANSFER_ALLOWED_HOSTS", "A.example,b:80,[::1]:3000", "allowedHosts", ["a.example", "b:80", "[::1]:3000"]],
  ["TRANSFER_V1_DEPRECATED_AT", "2027-01-01T00:00Z", "v1DeprecatedAt", new Date("2027-01-01T00:00:00Z")],
  ["TRANSFER_DRAIN_SECONDS", "2.5", "drainSeconds", 2.5],
];

for (const [variable, text, key, value] of RIGHT) {
  test(`${variable}=${text} is read`, () => {
    assert.deepEqual(readConfig({ [variable]: text })[key], value);
  });
}

test("an address for events is read with its secrets", () => {
  for (const url of ["https://ops.example.com/hooks/1?key=2", "http://[::1]:8090/events", "http://localhost"]) {
    const { eventsUrl, eventsSecrets } = readConfig({
      TRANSFER_EVENTS_URL: url,
      TRANSFER_EVENTS_SECRET: `${SECRET_OF_32_BYTES}, ${secretOf(24)}`,
    });
    assert.equal(eventsUrl, url);
    assert.deepEqual(eventsSecrets, [SECRET_OF_32_BYTES, secretOf(24)]);
  }
});

// biome-ignore format: a table reads by its columns
const WRONG: Readonly<Record<string, readonly string[]>> = {
  TRANSFER_HTTP_HOST: ["http://127.0.0.1", "a b"],
  TRANSFER_HTTP_PORT: ["-1", "65536", "80.5", "http", "0x50"],
  TRANSFER_PUBLIC_URL: ["quotes.example.com", "ftp://x", "https://x/path", "https://x?y", "https://user@x"],
  TRANSFER_DATABASE_URL: ["mysql://me:password-1@db/quotes", "password-1"],
  TRANSFER_REDIS_URL: ["http://:password-1@cache", "password-1"],
  TRANSFER_ISSUER: ["internal", "Embedded"],
  TRANSFER_AUTH_ISSUER: ["id.example", "file:///x"],
  TRANSFER_AUTH_AUDIENCE: ["x".repeat(513), `a,${"x".repeat(513)}`, "a,,b"],
  TRANSFER_AUTH_JWKS_URL: ["keys.json"],
  TRANSFER_AUTH_SCOPE_PREFIX: ["api://quotes discovery", "a b/"],
  TRANSFER_DEV_REGISTRATION: ["yes", "TRUE", "1"],
  TRANSFER_ACCEPT_FAULTS: ["yes"],
  TRANSFER_SANDBOX: ["yes"],
  TRANSFER_BLOCKED_SUBJECTS: ["a,,b", ","],
  TRANSFER_ROUTER: ["google", "Embedded", "constructor"],
  TRANSFER_ROUTER_URL: ["osrm:5000", "ftp://password-1@osrm"],
  TRANSFER_GEOCODER: ["google"],
  TRANSFER_GEOCODER_URL: ["photon", "ftp://password-1@photon"],
  TRANSFER_AVAILABILITY_URL: ["taken.ics", "http://password-1.example/a.ics", "webcal://password-1.example", "file://password-1/a"],
  TRANSFER_CHECKOUT_ENABLED: ["yes"],
  TRANSFER_CHECKOUT_CONTINUE_URL: [
    "pay.example.com", "javascript:alert(1)", "http://pay.example.com", "http://127.0.0.1.example", "http://10.0.0.1",
    "https://user@pay.example", "https://:secret@pay.example",
  ],
  TRANSFER_CHECKOUT_URL: ["pay.example.com", "javascript:alert(1)"],
  TRANSFER_CHECKOUT_SECRET: ["password-1", `${LONG},password-1`, `${LONG},`],
  TRANSFER_EVENTS_URL: [
    "http://ops.example/password-1", "ftp://ops.example", "ops.example", "https://me:password-1@ops.example",
    "http://127.0.0.1.ops.example/",
  ],
  TRANSFER_EVENTS_SECRET: [
    "password-1", SECRET_OF_32_BYTES.replace("whsec_", ""), `${SECRET_OF_32_BYTES},`, `${SECRET_OF_32_BYTES},password-1`,
    secretOf(23), secretOf(65), `${SECRET_OF_32_BYTES.slice(0, -2)}%=`,
  ],
  TRANSFER_DOCS_BASE: ["docs"],
  TRANSFER_TRUST_PROXY: ["true", "1", "127.1", "10/8", "10.0.0.0/33", "loopback,proxy.example"],
  TRANSFER_ALLOWED_ORIGINS: ["*", "https://a.example/x", "https://a.example,,"],
  TRANSFER_ALLOWED_HOSTS: ["*", "https://a.example", "a.example/x"],
  TRANSFER_ACCESS_TOKEN: ["Bearer password-1"],
  TRANSFER_V1_DEPRECATED_AT: ["soon", "2027-01-01", "2027-01-01T00:00", "2027-13-01T00:00Z", "2027-02-30T00:00Z"],
  TRANSFER_V1_SUNSET_AT: ["later"],
  TRANSFER_MAX_LIVE_QUOTES: ["0", "10000001", "1e6", "-1", "1.5"],
  TRANSFER_LEDGER_DAYS: ["-1", "3651", "400d", "1.5"],
  TRANSFER_DRAIN_SECONDS: ["-1", "601", "1s"],
  TRANSFER_METRICS_TOKEN: ["Bearer password-1"],
  TRANSFER_OWNER: ["client", "Subject", "subject,client"],
  TRANSFER_LOG_LEVEL: ["verbose", "INFO"],
  TRANSFER_LOG_UNMATCHED_PLACES: ["yes"],
};
// biome-ignore format: a table reads by its columns
const SECRET = [
  "DATABASE_URL", "REDIS_URL", "ROUTER_URL", "GEOCODER_URL", "AVAILABILITY_URL", "CHECKOUT_SECRET", "EVENTS_URL", "EVENTS_SECRET",
  "ACCESS_TOKEN", "METRICS_TOKEN",
].map((name) => `TRANSFER_${name}`);
/** Any text is a path; what stands there shows at the start. */
const ANY_TEXT = ["TRANSFER_DATA_DIR", "TRANSFER_CATALOG_DIR"];

test("requires the address of a foreign engine, and with a database the shared secret", () => {
  const wants = (env: NodeJS.ProcessEnv, variable: string) =>
    assert.throws(() => readConfig(env), new RegExp(`^ConfigError: ${variable} is not set`));
  wants({ TRANSFER_ROUTER: "osrm" }, "TRANSFER_ROUTER_URL");
  wants({ TRANSFER_GEOCODER: "photon" }, "TRANSFER_GEOCODER_URL");
  wants({ TRANSFER_DATABASE_URL: "postgres://db/quotes" }, "TRANSFER_CHECKOUT_SECRET");
  wants({ TRANSFER_EVENTS_URL: "https://ops.example" }, "TRANSFER_EVENTS_SECRET");
  wants({ TRANSFER_EVENTS_SECRET: SECRET_OF_32_BYTES }, "TRANSFER_EVENTS_URL");
  const engines = { TRANSFER_ROUTER: "valhalla", TRANSFER_ROUTER_URL: "http://valhalla:8002" };
  assert.equal(readConfig(engines).routerUrl, "http://valhalla:8002");
  const shared = { TRANSFER_DATABASE_URL: "postgres://db/quotes", TRANSFER_CHECKOUT_SECRET: LONG };
  assert.equal(readConfig(shared).databaseUrl, "postgres://db/quotes");
});

test("lists invalid values of every setting", () => {
  const all = Object.values(settings).map(({ variable }) => variable);
  assert.deepEqual([...Object.keys(WRONG), ...ANY_TEXT].sort(), [...all].sort());
});

for (const [variable, texts] of Object.entries(WRONG)) {
  for (const text of texts) {
    test(`${variable}=${text.slice(0, 60)} is rejected with the variable and what is allowed`, () => {
      const message = mistakeOf({ [variable]: text });
      const allowed = Object.values(settings).find((each) => each.variable === variable)?.schema.description;
      const read = SECRET.includes(variable) ? "set, but not valid" : JSON.stringify(text.slice(0, 200));
      assert.equal(message, `${variable} is ${read}; allowed: ${allowed}`);
      if (SECRET.includes(variable)) assert.doesNotMatch(message, /password-1/);
    });
  }
}

test("shows a value with a line break in one line", () => {
  assert.match(mistakeOf({ TRANSFER_LOG_LEVEL: "a\nb" }), /"a\\nb"/);
});

test("reports unknown TRANSFER_ variables and ignores all others", () => {
  const { unknownVariables } = readConfig({ TRANSFER_HTTP_PROT: "1", TRANSFER_: "", HTTP_PORT: "1", transfer_x: "1" });
  assert.deepEqual(unknownVariables, [
    { name: "TRANSFER_HTTP_PROT", meant: "TRANSFER_HTTP_PORT" },
    { name: "TRANSFER_", meant: undefined },
  ]);
});

test("requires an audience with an issuer, and an issuer with a prefix of its scopes", () => {
  assert.match(
    mistakeOf({ TRANSFER_AUTH_ISSUER: ISSUER.TRANSFER_AUTH_ISSUER }),
    /^TRANSFER_AUTH_AUDIENCE is not set; /,
  );
  assert.equal(readConfig(ISSUER).authIssuer, "https://id.example/");
  const prefix = { TRANSFER_AUTH_SCOPE_PREFIX: "api://quotes/" };
  assert.equal(readConfig({ ...ISSUER, ...prefix }).authScopePrefix, "api://quotes/");
  assert.match(mistakeOf(prefix), /^TRANSFER_AUTH_ISSUER is not set; .* TRANSFER_AUTH_SCOPE_PREFIX$/);
});

const REACHABLE = {
  TRANSFER_HTTP_HOST: ["0.0.0.0", "::", "192.168.1.10", "quotes.example.com", "128.0.0.1", "localhost.example.com"],
  TRANSFER_PUBLIC_URL: ["https://quotes.example.com", "http://192.168.1.10:3000", "https://127.0.0.1.example.com"],
};
for (const [variable, values] of Object.entries(REACHABLE)) {
  for (const value of values) {
    test(`a server with ${variable}=${value} needs an issuer`, () => {
      const isRefused = (error: unknown) =>
        String(error).startsWith(`ConfigError: ${variable} is ${value}; `) &&
        /TRANSFER_AUTH_ISSUER/.test(String(error));
      assert.throws(() => checkListening(readConfig({ [variable]: value })), isRefused);
      checkListening(readConfig({ [variable]: value, ...ISSUER }));
    });
  }
}

test("a server with a loopback public URL needs no issuer", () => {
  for (const url of ["http://localhost:8080", "http://127.0.0.2", "http://[::1]:3000"])
    checkListening(readConfig({ TRANSFER_PUBLIC_URL: url }));
});

test("the end of v1 lies at least 90 days after its announcement", () => {
  const announced = (TRANSFER_V1_DEPRECATED_AT: string | undefined, TRANSFER_V1_SUNSET_AT: string) => ({
    ...{ TRANSFER_V1_DEPRECATED_AT, TRANSFER_V1_SUNSET_AT },
  });
  const tooEarly = announced("2027-01-01T00:00:00Z", "2027-03-31T23:59:59Z");
  assert.match(mistakeOf(tooEarly), /^TRANSFER_V1_SUNSET_AT is .*90 days/);
  assert.match(mistakeOf(announced(undefined, "2027-04-01T00:00:00Z")), /^TRANSFER_V1_DEPRECATED_AT is not set/);
  const accepted = readConfig(announced("2027-01-01T00:00:00Z", "2027-04-01T00:00:00Z"));
  assert.deepEqual(accepted.v1SunsetAt, new Date("2027-04-01T00:00:00Z"));
});

const EMBEDDED = {
  TRANSFER_ISSUER: "embedded",
  TRANSFER_PUBLIC_URL: "https://quotes.example.com",
  TRANSFER_TRUST_PROXY: "loopback",
};

test("allows the embedded issuer on a public address behind a named proxy, without the sandbox", () => {
  const config = readConfig({ ...EMBEDDED, TRANSFER_HTTP_HOST: "0.0.0.0" });
  assert.doesNotThrow(() => checkListening(config));
  assert.equal(config.sandbox, false);
});

for (const [name, changes, message] of [
  ["an external issuer", ISSUER, /^TRANSFER_ISSUER is embedded; .* TRANSFER_AUTH_ISSUER, not both$/],
  [
    "an http address",
    { TRANSFER_PUBLIC_URL: "http://quotes.example.com" },
    /^TRANSFER_PUBLIC_URL is http:.*https origin$/,
  ],
  ["no public address", { TRANSFER_PUBLIC_URL: "" }, /^TRANSFER_PUBLIC_URL is not set; .*TRANSFER_ISSUER=embedded$/],
  ["no proxy", { TRANSFER_TRUST_PROXY: "" }, /^TRANSFER_TRUST_PROXY .*is not set; .*TRANSFER_ISSUER=embedded$/],
] as const) {
  test(`rejects the embedded issuer with ${name}`, () => {
    assert.throws(() => checkListening(readConfig({ ...EMBEDDED, ...changes })), { name: "ConfigError", message });
  });
}
