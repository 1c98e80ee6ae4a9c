import type { TestContext } from "node:test";
import { operations } from "../../rest-shim/operations.ts";
import { createRestRouter } from "../../rest-shim/rest-router.ts";
import { createCallPipeline } from "../../src/calls/call-pipeline.ts";
import { createCheckout } from "../../src/checkout/checkout.ts";
import { createLinkSigner } from "../../src/checkout/signature.ts";
import { embeddedPricing } from "../../src/compose/compose-pricing.ts";
import { createApp } from "../../src/http/app.ts";
import { listen } from "../../src/http/http-server.ts";
import { API_BASE } from "../../src/http/request.ts";
import { createJwtVerifier } from "../../src/identity/jwt-verifier.ts";
import { createRemoteKeys } from "../../src/identity/remote-keys.ts";
import { createMemoryRateLimiter } from "../../src/limits/memory-rate-limiter.ts";
import { type Clock, systemClock } from "../../src/ops/clock.ts";
import { silentLog } from "../../src/ops/log.ts";
import { createQuoting } from "../../src/quotes/quoting.ts";
import type { QuoteStore } from "../../src/stores/quote-store.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import type { TestIssuer } from "../support/issuer.ts";
import { openStore } from "../support/lowdb-store.ts";
import { SECRET } from "../support/machines.ts";
import { aFolder } from "../support/temporary-folder.ts";

/** Faults around store and clock. */
export interface Plant {
  readonly store?: (store: QuoteStore) => QuoteStore;
  readonly clock?: (clock: Clock) => Clock;
}

/** The service over HTTP on the embedded store, put together here so that store and clock can be wrapped. */
export async function aPlantedService(t: TestContext, issuer: TestIssuer, points: number, plant: Plant) {
  const catalogDir = aCatalogWithBudgets(t, { discovery: { points, seconds: 60 } });
  const pricing = embeddedPricing({ catalogDir });
  const { catalog } = pricing;
  const clock = plant.clock?.(systemClock) ?? systemClock;
  const stored = await openStore(t, { folder: aFolder(t), clock: systemClock });
  const server = await listen("127.0.0.1", 0);
  const publicUrl = `http://127.0.0.1:${server.port}`;
  const keys = createRemoteKeys({ issuer: "https://id.test/", url: issuer.jwksUrl, log: silentLog });
  const { run } = createCallPipeline({
    ...pricing,
    clock,
    quotes: plant.store?.(stored) ?? stored,
    quoting: createQuoting({ ...pricing, clock }),
    checkout: createCheckout({
      signer: createLinkSigner([SECRET]),
      enabled: true,
      pageUrl: `${publicUrl}/checkout`,
      operator: catalog.operator,
    }),
    tokens: createJwtVerifier({ issuer: issuer.issuer, audience: issuer.audience, keys, clock: systemClock }),
    limiter: createMemoryRateLimiter(catalog.budgets),
    blockedSubjects: new Set(),
    docsBase: `${publicUrl}/docs`,
  });
  const mounts = [{ path: API_BASE, handler: createRestRouter(operations, run) }];
  server.serve(
    createApp({
      docsBase: `${publicUrl}/docs`,
      trustProxy: undefined,
      brand: () => "",
      onFinished() {},
      readOnlyPaths: [],
      mounts,
    }),
  );
  t.after(() => server.close(0));
  return publicUrl;
}
