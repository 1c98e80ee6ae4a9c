import type { RequestListener } from "node:http";
import type { RequestHandler } from "express";
import { restOperations } from "../../../rest-shim/operations.ts";
import { createRestRouter } from "../../../rest-shim/rest-router.ts";
import { createSiteRouter } from "../../../rest-shim/site/site-router.ts";
import { operatorIn } from "../../domain/catalog/load-operator.ts";
import { createApp, endOfVersion, type Mount } from "../../servers/http/app.ts";
import { createHealthRouter } from "../../servers/http/health.ts";
import { API_BASE } from "../../servers/http/request.ts";
import { createDocumentLimit, createLoadShedding } from "../../servers/http/request-limits.ts";
import { createTravelerPage } from "../../servers/http/traveler-page.ts";
import { createMcpMounts } from "../../servers/mcp/mcp-mounts.ts";
import { perCatalog } from "../../service/calls/operation.ts";
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
  const { run, admit, identity, mcpTools: tools, dependencies, metrics, onFinished, log } = service;
  const { allowedHosts, allowedOrigins, authScopePrefix: scopePrefix } = config;
  const { issuer, mounts: issuerMounts = [] } = identity;
  const isOfThisMachine = identity.demo !== undefined;
  const shedding = createLoadShedding((isLate) => {
    if (isLate) log.warn({}, "overloaded: calls that would have to wait are rejected with 503");
    else log.info({}, "no longer overloaded");
  });
  metrics?.watchCallsInFlight(shedding.inFlight);
  const limit = createDocumentLimit(addressKey);
  const health = { isDraining, catalog: service.catalogInUse, metricsToken: config.metricsToken, limit };
  const mcp = { tools, admit, onFinished, publicUrl, issuer, scopePrefix, allowedHosts, allowedOrigins };
  const listener = appOf(config, service, [
    // Before load shedding: an overloaded process must not be restarted for a failed probe, and its metrics stay readable.
    { path: "/", handler: createHealthRouter(dependencies, metrics, health) },
    ...endOfVersion(config.v1DeprecatedAt, config.v1SunsetAt),
    // Before the limit of documents, which its forms and endpoints are not.
    ...(isOfThisMachine ? issuerMounts : []),
    { path: "/", handler: limit },
    { path: "/", handler: shedding.handler },
    ...(isOfThisMachine ? [] : issuerMounts),
    { path: API_BASE, handler: createRestRouter(restOperations, run) },
    ...createMcpMounts(mcp),
    ...pages(config, publicUrl, service),
  ]);
  return { listener, stop: shedding.stop };
}

/** The traveler's page and what it needs, for a process that serves MCP over stdio. */
export function composeTravelerHttp(config: Config, { publicUrl }: Site, service: Service): RequestListener {
  const rows = restOperations.filter(({ operationId }) => operationId === "resolveCheckoutHandoff");
  return appOf(config, service, [
    ...endOfVersion(config.v1DeprecatedAt, config.v1SunsetAt),
    { path: API_BASE, handler: createRestRouter(rows, service.run) },
    ...pages(config, publicUrl, service),
  ]);
}

function appOf({ trustProxy }: Config, { docsBase, onFinished, catalog }: Service, mounts: readonly Mount[]) {
  return createApp({ docsBase, trustProxy, operator: () => catalog().operator, onFinished, mounts });
}

function pages(config: Config, publicUrl: string, service: Service): readonly Mount[] {
  const { identity } = service;
  const { sandbox, authScopePrefix: scopePrefix, ledgerDays } = config;
  const site = { publicUrl, issuer: identity.issuer, oauth: identity.demo?.oauth, scopePrefix, sandbox };
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
  const isUsed = {
    geocoder: geocoder !== "embedded",
    router: router !== "embedded",
    events: eventsUrl !== undefined,
    checkout: (checkoutUrl ?? checkoutContinueUrl) !== undefined,
  };
  return (["geocoder", "router", "events", "checkout"] as const).filter((each) => isUsed[each]);
}
