import express, { type Router } from "express";
import type { Metrics } from "./metrics.ts";

/** Something the service depends on. `ping` resolves while it works. */
export interface Dependency {
  readonly name: string;
  /** False where callers are served without it too, only less well. Default true. */
  readonly isEssential?: boolean;
  ping(): Promise<void>;
}

/**
 * `/healthz` (alive), `/readyz` (can it serve? names what fails) and `/metrics` (Prometheus). What all processes share
 * fails for all of them at once: a 503 for what is not essential would take every one from behind its load balancer
 * while each could still serve.
 */
export function createHealthRouter(dependencies: readonly Dependency[], metrics: Metrics): Router {
  const router = express.Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const checks = await Promise.all(dependencies.map(stateOf));
    const failing = checks.filter(({ ok }) => !ok);
    const isServing = !failing.some(({ isEssential }) => isEssential);
    const impaired = isServing ? "degraded" : "unavailable";
    response.status(isServing ? 200 : 503).json({
      status: failing.length > 0 ? impaired : "ready",
      failing: failing.map(({ name }) => name),
      dependencies: Object.fromEntries(checks.map(({ name, ok }) => [name, ok ? "ok" : "failing"])),
    });
  });
  router.get("/metrics", async (_request, response) => {
    const { contentType, text } = await metrics.render();
    response.setHeader("Content-Type", contentType);
    response.send(text);
  });
  return router;
}

export interface DependencyState {
  readonly name: string;
  readonly isEssential: boolean;
  readonly ok: boolean;
  readonly fault?: string;
}

export async function stateOf({ name, isEssential = true, ping }: Dependency): Promise<DependencyState> {
  try {
    await ping();
    return { name, isEssential, ok: true };
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    return { name, isEssential, ok: false, fault };
  }
}
