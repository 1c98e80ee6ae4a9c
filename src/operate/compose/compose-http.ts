import type { RequestListener } from "node:http";
import cors from "cors";
import express, { type Request, type RequestHandler } from "express";
import { restOperations } from "../../../rest-shim/operations.ts";
import { createRestRouter } from "../../../rest-shim/rest-router.ts";
import { createSiteRouter } from "../../../rest-shim/site/site-router.ts";
import { PublicError } from "../../contract/errors.ts";
import { operatorIn } from "../../domain/catalog/load-operator.ts";
import { isLoopback, originsOf } from "../../ops/loopback.ts";
import { pageHeaders } from "../../ops/page-headers.ts";
import { allowOnly, createApp, type Mount } from "../../servers/http/app.ts";
import { createHealthRouter } from "../../servers/http/health.ts";
import { API_BASE } from "../../servers/http/request.ts";
import { createDocumentLimit, createLoadShedding } from "../../servers/http/request-limits.ts";
import { createTravelerPage } from "../../servers/http/traveler-page.ts";
import { createDiscoveryRouter } from "../../servers/mcp/server-card.ts";
import { createStreamableHttp } from "../../servers/mcp/streamable-http.ts";
import { perCatalog, SCOPES } from "../../service/calls/operation.ts";
import { addressKey } from "../../service/calls/rate-limiter.ts";
import type { Config } from "../config/config.ts";
import type { Service, Site } from "./compose.ts";

/**
 * Everything over HTTP; under overload, which is watched until `stop`, calls are rejected. While `isDraining`, `/readyz`
 * answers 503.
 */
export function composeHttp(
  config: Config,
  { publicUrl }: Site,
  service: Service,
  isDraining: () => boolean,
): { readonly listener: RequestListener; readonly stop: () => void } {
  const { run, admit, identity, dependencies, metrics, log } = service;
  const shedding = createLoadShedding((isLate) => {
    if (isLate) log.warn({}, "overloaded: calls that would have to wait are rejected with 503");
    else log.info({}, "no longer overloaded");
  });
  metrics?.watchCallsInFlight(shedding.inFlight);
  const limit = createDocumentLimit(addressKey);
  const health = { isDraining, catalog: service.catalogInUse, metricsToken: config.metricsToken, limit };
  const listener = appOf(config, service, [
    // Before load shedding: an overloaded process must not be restarted for a failed probe, and its metrics stay readable.
    { path: "/", handler: createHealthRouter(dependencies, metrics, health) },
    ...versionHeaders(config),
    // Before the limit of documents, which its forms and endpoints are not.
    ...developmentIssuer(),
    { path: "/", handler: limit },
    { path: "/", handler: shedding.handler },
    { path: API_BASE, handler: createRestRouter(restOperations, run) },
    ...mcp(),
    ...pages(config, publicUrl, service),
  ]);
  return { listener, stop: shedding.stop };

  function mcp(): readonly Mount[] {
    const origins = originsOf(publicUrl);
    const hosts = origins.map((origin) => new URL(origin).host);
    /** The origin that the client used: it compares its own address with `resource`. */
    const originOf = (request: Request) =>
      origins[hosts.indexOf(request.get("host")?.toLowerCase() ?? "")] ?? publicUrl;
    const scopes = ["discovery", ...SCOPES.filter((scope) => scope !== "discovery")].map(
      (scope) => `${config.authScopePrefix ?? ""}${scope}`,
    );
    const handler = createStreamableHttp({
      tools: service.mcpTools,
      admit,
      scopes,
      metadataUrlOf: (request) => `${originOf(request)}${RESOURCE_METADATA_PATH}/mcp`,
      allowedHosts: new Set([...hosts, ...(config.allowedHosts ?? [])]),
      allowedOrigins: new Set(config.allowedOrigins ?? origins),
      onFinished: service.onFinished,
    });
    const sendMetadata: RequestHandler = (request, response) => {
      response.json({
        resource: `${originOf(request)}/mcp`,
        authorization_servers: [identity.issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ["header"],
        resource_name: "Transfer quotes Switzerland",
      });
    };
    const methods = ["GET", "HEAD"];
    const metadata = express.Router().use(cors({ methods }));
    metadata
      .route(["/", "/mcp"])
      .get(sendMetadata)
      .all(allowOnly(...methods));
    return [
      // Before the endpoint, which answers no unknown host or origin.
      { path: "/", handler: createDiscoveryRouter(service.mcpTools.info, originOf) },
      { path: "/mcp", handler },
      { path: RESOURCE_METADATA_PATH, handler: metadata },
    ];
  }

  /**
   * Served to this machine only. Its metadata is at the address of RFC 8414 for an issuer with a path, and where clients
   * of MCP 2025-03-26 look for it.
   */
  function developmentIssuer(): readonly Mount[] {
    const { server, issuer } = identity;
    if (!server) return [];
    const { pathname } = new URL(issuer);
    const [authorizationServer] = ISSUER_METADATA_PATHS;
    const documents = [...ISSUER_METADATA_PATHS.map((path) => `${path}${pathname}`), authorizationServer];
    const serveAs = (url: string): RequestHandler => {
      return (request, response, next) => {
        if (request.path !== "/") return next();
        request.url = url;
        return server.handler(request, response, next);
      };
    };
    return [
      ...[pathname, REGISTRATION_PATH, ...documents].map((path) => ({ path, handler: requireLoopback })),
      ...documents.map((path) => ({ path, handler: serveAs(authorizationServer) })),
      // Clients that do not read the metadata register here.
      { path: REGISTRATION_PATH, handler: serveAs(REGISTRATION_PATH) },
      { path: pathname, handler: pageHeaders() },
      { path: pathname, handler: server.handler },
    ];
  }
}

/** The traveler's page and what it needs, for a process that serves MCP over stdio. */
export function composeTravelerHttp(config: Config, { publicUrl }: Site, service: Service): RequestListener {
  const rows = restOperations.filter(({ operationId }) => operationId === "resolveCheckoutHandoff");
  return appOf(config, service, [
    ...versionHeaders(config),
    { path: API_BASE, handler: createRestRouter(rows, service.run) },
    ...pages(config, publicUrl, service),
  ]);
}

/** Rejects a request that came through a tunnel or by DNS rebinding: its Host header is not this machine's own. */
const requireLoopback: RequestHandler = (request, _response, next) => {
  const url = `http://${request.headers.host}`;
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return next();
  const nextAction = "Send the request from the server's own machine, to localhost or a loopback address.";
  next(new PublicError("INVALID_REQUEST", "This is served to loopback hosts only.", { status: 403, nextAction }));
};

/** Path of the OAuth 2.0 Protected Resource Metadata (RFC 9728). */
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

const ISSUER_METADATA_PATHS = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"] as const;

const REGISTRATION_PATH = "/register";

function appOf({ trustProxy }: Config, { docsBase, onFinished, catalog }: Service, mounts: readonly Mount[]) {
  return createApp({ docsBase, trustProxy, operator: () => catalog().operator, onFinished, mounts });
}

function pages(config: Config, publicUrl: string, service: Service): readonly Mount[] {
  const { identity } = service;
  const { sandbox, authScopePrefix: scopePrefix, ledgerDays } = config;
  const site = { publicUrl, issuer: identity.issuer, oauth: identity.server?.oauth, scopePrefix, sandbox };
  // The documents name the operator, which a reload can change.
  const docsOf = perCatalog((catalog) => {
    const { operator } = catalog;
    const about = { ledgerDays, recipients: recipientsOf(config) };
    return createSiteRouter({ ...site, ...about, operator, operatorIn: (language) => operatorIn(catalog, language) });
  });
  const docs: RequestHandler = (...request) => docsOf(service.catalog())(...request);
  return [
    { path: "/checkout", handler: createTravelerPage((language) => operatorIn(service.catalog(), language)) },
    { path: "/", handler: docs },
  ];
}

/** Systems beside the operator's own server that receive data of a journey. */
function recipientsOf({ geocoder, router, eventsUrl, checkoutUrl, checkoutContinueUrl }: Config) {
  return [
    ...(geocoder === "embedded" ? [] : (["geocoder"] as const)),
    ...(router === "embedded" ? [] : (["router"] as const)),
    ...(eventsUrl === undefined ? [] : (["events"] as const)),
    ...((checkoutUrl ?? checkoutContinueUrl) ? (["checkout"] as const) : []),
  ];
}

/** The announced end of v1, where there is one: Deprecation (RFC 9745) and Sunset (RFC 8594). */
function versionHeaders({ v1DeprecatedAt, v1SunsetAt }: Config): readonly Mount[] {
  if (!v1DeprecatedAt && !v1SunsetAt) return [];
  const headers = {
    ...(v1DeprecatedAt && { Deprecation: `@${Math.floor(v1DeprecatedAt.getTime() / 1000)}` }),
    ...(v1SunsetAt && { Sunset: v1SunsetAt.toUTCString() }),
  };
  const handler: RequestHandler = (_request, response, next) => {
    response.set(headers);
    next();
  };
  return [{ path: API_BASE, handler }];
}
