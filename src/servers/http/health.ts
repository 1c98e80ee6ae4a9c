import { createHash, timingSafeEqual } from "node:crypto";
import express, { type RequestHandler, type Router } from "express";
import { PublicError } from "../../contract/errors.ts";
import { cachedFor } from "../../ops/cached-for.ts";
import type { CatalogInUse, Metrics } from "../../ops/metrics.ts";
import { allowOnly } from "./app.ts";
import { bearerOf } from "./request.ts";

const METRICS_TOKEN_REQUIRED = new PublicError("AUTHENTICATION_REQUIRED", "The metrics require a bearer token.", {
  nextAction: "Send the value of TRANSFER_METRICS_TOKEN as a bearer token.",
});

/** Something the service depends on. `ping` resolves while it works and rejects otherwise. */
export interface Dependency {
  readonly name: string;
  /** False if calls can be served without it in a degraded way. Default true. */
  readonly isEssential?: boolean;
  ping(): Promise<void>;
}

export interface HealthOptions {
  /** While true, `/readyz` answers 503. */
  readonly isDraining: () => boolean;
  /** The catalog in use, which `/readyz` reports. */
  readonly catalog: () => CatalogInUse;
  /** Bearer token that `/metrics` requires; `undefined`: none. */
  readonly metricsToken: string | undefined;
  /** Limits requests for `/metrics`. */
  readonly limit: RequestHandler;
}

/**
 * `/healthz` (alive), `/readyz` (able to serve; lists failing dependencies) and `/metrics` (Prometheus). A dependency
 * that is not essential never makes a process unready: all processes share it, so that a load balancer would remove all
 * of them although each can still serve. Dependencies are probed at most once a second.
 */
export function createHealthRouter(
  dependencies: () => readonly Dependency[],
  metrics: Metrics | undefined,
  { isDraining, catalog, metricsToken, limit }: HealthOptions,
): Router {
  // A proxy that hides a path compares it letter by letter.
  const router = express.Router({ caseSensitive: true, strict: true });
  router.all(["/healthz", "/readyz", "/metrics"], allowOnly("GET", "HEAD"));
  const probe = cachedFor(1_000, () => Promise.all(dependencies().map(stateOf)));
  metrics?.watchDependencies(probe);
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const checks = await probe();
    const failing = checks.filter(({ ok }) => !ok);
    const isServing = !isDraining() && !failing.some(({ isEssential }) => isEssential);
    const impaired = isServing ? "degraded" : "unavailable";
    const status = failing.length > 0 ? impaired : "ready";
    const { version, tariffVersion, loadedAt } = catalog();
    response
      .status(isServing ? 200 : 503)
      .json({
        status: isDraining() ? "draining" : status,
        failing: failing.map(({ name }) => name),
        dependencies: Object.fromEntries(checks.map(({ name, ok }) => [name, ok ? "ok" : "failing"])),
        catalog: { version, tariff_version: tariffVersion, loaded_at: loadedAt.toISOString() },
      });
  });
  if (!metrics) return router;
  router.get("/metrics", limit, async (request, response, next) => {
    if (metricsToken !== undefined && !isSame(bearerOf(request) ?? "", metricsToken))
      return next(METRICS_TOKEN_REQUIRED);
    const { contentType, text } = await metrics.render();
    response.setHeader("Content-Type", contentType);
    response.send(text);
  });
  return router;
}

/** `fault` is `undefined` while it works. */
export async function stateOf({ name, isEssential = true, ping }: Dependency) {
  const fault = await ping().then(
    () => undefined,
    (error) => (error instanceof Error ? error.message : String(error)),
  );
  return { name, isEssential, ok: fault === undefined, fault };
}

/** Compares digests in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
