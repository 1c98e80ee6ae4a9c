import envPaths from "env-paths";
import { z } from "zod/v3";
import { type RoutingEngineName, routingEngines } from "../../adapters/engines/routing-engines.ts";
import { type GeocoderName, geocoders } from "../../adapters/geocoders/geocoders.ts";
import { packagedCatalog } from "../../ops/package-root.ts";
import * as kinds from "./kinds.ts";
import { optional, secret, setting } from "./setting.ts";

const routers = kinds.oneOf("embedded", ...(Object.keys(routingEngines) as RoutingEngineName[]));
const finders = kinds.oneOf("embedded", ...(Object.keys(geocoders) as GeocoderName[]));
const owners = kinds.oneOf("subject", "client-and-subject");
const levels = kinds.oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent");
const host = kinds.text.regex(/^[\w.:-]+$/).describe("a host name or IP address");
const postgres = kinds
  .urlOf("postgres:", "postgresql:")
  .describe("a URL such as postgres://user:password@host:5432/database");
const redis = kinds.urlOf("redis:", "rediss:").describe("a URL such as redis://:password@host:6379/0, or rediss://");
const issuer = kinds.url.describe("an http or https URL, exactly as in the tokens' iss");
const embedded = z.literal("embedded").describe("embedded");
const audiences = kinds.listOf(kinds.text.max(512)).describe("audiences of 1 to 512 characters, comma-separated");
const secrets = kinds.listOf(kinds.text.min(32)).describe("secrets of at least 32 characters, comma-separated");
const subjects = kinds.listOf(kinds.text).describe("comma-separated subjects");
const scopePrefix = kinds.text
  .regex(/^\S+$/)
  .describe("a text without spaces, such as https://quotes.example.com/mcp/");
const bearer = kinds.text.regex(/^\S+$/).describe("a bearer token without spaces");
const dataDir = envPaths("transfer-quote-mcp", { suffix: "" }).data;

/** Every setting, in the order of docs/settings.md, which is made from this. */
// biome-ignore format: a table reads by its columns
export const settings = {
  httpHost: setting("TRANSFER_HTTP_HOST", host, "listening address", "127.0.0.1"),
  httpPort: setting("TRANSFER_HTTP_PORT", kinds.port, "listening port; 0 selects a free one", 3000),
  publicUrl: optional("TRANSFER_PUBLIC_URL", kinds.origin, "origin under which callers reach the server", "from host and port"),
  dataDir: setting("TRANSFER_DATA_DIR", kinds.folder, "embedded store, development keys", dataDir, "per-user state folder of the platform"),
  catalogDir: setting("TRANSFER_CATALOG_DIR", kinds.folder, "corridors, vehicle classes, luggage, policies, tariff, budgets, requirements, road network, places", packagedCatalog, "the packaged `fixtures/catalog`"),
  acceptFaults: setting("TRANSFER_ACCEPT_FAULTS", kinds.boolean, "whether a start uses a catalog in which `check` finds faults; a reload takes `--force` instead", false),
  databaseUrl: secret("TRANSFER_DATABASE_URL", postgres, "PostgreSQL 14 or newer; without it the embedded store in the data folder"),
  maxLiveQuotes: setting("TRANSFER_MAX_LIVE_QUOTES", kinds.integerIn(1, 10_000_000), "how many entries (quotes, and idempotency keys of other calls) the embedded store keeps, in memory and up to 256 MiB; beyond that, calls that store one answer 503 until older ones expire: use PostgreSQL", 100_000),
  ledgerDays: setting("TRANSFER_LEDGER_DAYS", kinds.integerIn(0, 3_650), "how many days the ledger keeps what became of quotes, without personal data, for `report`; 0 = as long as the quotes", 400),
  redisUrl: secret("TRANSFER_REDIS_URL", redis, "Redis or Valkey for the budgets; without it they are counted in memory"),
  authIssuer: optional("TRANSFER_AUTH_ISSUER", issuer, "external identity provider; without it and without TRANSFER_ISSUER the development issuer runs, on a loopback address only"),
  issuer: optional("TRANSFER_ISSUER", embedded, "the embedded issuer, with the credentials that you issue (docs/operations/credentials.md), instead of an external one; it needs an https TRANSFER_PUBLIC_URL behind a proxy that TRANSFER_TRUST_PROXY names"),
  authAudiences: optional("TRANSFER_AUTH_AUDIENCE", audiences, "audiences, any of which a token must name, beside `<public url>/mcp`; required with an external issuer"),
  authJwksUrl: optional("TRANSFER_AUTH_JWKS_URL", kinds.url, "the issuer's keys", "`jwks_uri` of its metadata"),
  authScopePrefix: optional("TRANSFER_AUTH_SCOPE_PREFIX", scopePrefix, "what the issuer writes before the names of scopes: the resource metadata list them with it, and tokens may have them with or without"),
  devRegistration: setting("TRANSFER_DEV_REGISTRATION", kinds.boolean, "whether clients may register themselves (RFC 7591) at the development issuer", false),
  owner: setting("TRANSFER_OWNER", owners, "who owns quotes, idempotency keys and budgets: `client-and-subject` is for an identity provider whose machine and user subjects may coincide; it requires `client_id` or `azp` in every token", "subject"),
  sandbox: optional("TRANSFER_SANDBOX", kinds.boolean, "whether place names of docs/sandbox.md provoke every error and state, for authors of agents", "true with the development issuer, false with another one"),
  blockedSubjects: setting<readonly string[]>("TRANSFER_BLOCKED_SUBJECTS", subjects, "subjects that receive FORBIDDEN", []),
  router: setting("TRANSFER_ROUTER", routers, "routing engine", "embedded"),
  routerUrl: secret("TRANSFER_ROUTER_URL", kinds.url, "address of the routing engine; required unless it is the embedded one"),
  geocoder: setting("TRANSFER_GEOCODER", finders, "geocoder", "embedded"),
  geocoderUrl: secret("TRANSFER_GEOCODER_URL", kinds.url, "address of the geocoder; required unless it is the embedded one"),
  availabilityUrl: secret("TRANSFER_AVAILABILITY_URL", kinds.calendar, "iCalendar feed of taken vehicles, an https URL or a file, read every few minutes (docs/operations/availability.md)"),
  checkoutEnabled: setting("TRANSFER_CHECKOUT_ENABLED", kinds.boolean, "enables checkout", true),
  checkoutUrl: optional("TRANSFER_CHECKOUT_URL", kinds.url, "the operator's hosted checkout", "`<public url>/checkout`"),
  checkoutContinueUrl: optional("TRANSFER_CHECKOUT_CONTINUE_URL", kinds.secureUrl, "the operator's page for booking and payment, to which the traveler's page leads on with `quote_id`, `fleet_id` and `sig`; without it that page says how to reach the operator"),
  checkoutSecrets: secret("TRANSFER_CHECKOUT_SECRET", secrets, "signs checkout links: the first signs, all verify; required with a database", "created once in the data folder"),
  eventsUrl: secret("TRANSFER_EVENTS_URL", kinds.secureUrl, "the operator's own receiver of signed events (docs/operations/events.md)", "no events"),
  eventsSecrets: secret("TRANSFER_EVENTS_SECRET", kinds.webhookSecrets, "signs events, required with their URL; all of several sign, so that the receiver can change to another"),
  docsBase: optional("TRANSFER_DOCS_BASE", kinds.base, "base of problem `type`", "`<public url>/docs`"),
  trustProxy: optional("TRANSFER_TRUST_PROXY", kinds.proxies, "proxies whose X-Forwarded-For is trusted"),
  allowedOrigins: optional("TRANSFER_ALLOWED_ORIGINS", kinds.origins, "browser origins that `/mcp` accepts", "those of the public URL"),
  allowedHosts: optional("TRANSFER_ALLOWED_HOSTS", kinds.hosts, "Host headers that `/mcp` accepts besides those of the public URL"),
  accessToken: secret("TRANSFER_ACCESS_TOKEN", bearer, "token of the calls over stdio; without it they run as the local developer, if the development issuer runs"),
  v1DeprecatedAt: optional("TRANSFER_V1_DEPRECATED_AT", kinds.dateTime, "announces the end of v1: `Deprecation` on every v1 response"),
  v1SunsetAt: optional("TRANSFER_V1_SUNSET_AT", kinds.dateTime, "`Sunset` on every v1 response, at least 90 days after the deprecation"),
  drainSeconds: setting("TRANSFER_DRAIN_SECONDS", kinds.numberIn(0, 600), "after SIGTERM, how long `/readyz` answers 503 and connections stay open before the server stops accepting", 1),
  metricsToken: secret("TRANSFER_METRICS_TOKEN", bearer, "bearer token that `/metrics` requires"),
  logLevel: setting("TRANSFER_LOG_LEVEL", levels, "pino level; logs go to stderr", "info"),
  logUnmatchedPlaces: setting("TRANSFER_LOG_UNMATCHED_PLACES", kinds.boolean, "whether the log line of a call that failed with INVALID_LOCATION holds the texts that named no place, which may be personal data", false),
};
