import express, { type Router } from "express";
import type { Metrics } from "./metrics.ts";

/** Something the service depends on. `ping` resolves while it works. */
export interface Dependency {
  readonly name: string;
  ping(): Promise<void>;
}

/** `/healthz` (alive), `/readyz` (can it serve? names what fails) and `/metrics` (Prometheus). */
export function createHealthRouter(dependencies: readonly Dependency[], metrics: Metrics): Router {
  const router = express.Router();
  router.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const checks = await Promise.all(dependencies.map(stateOf));
    const failing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    response.status(failing.length > 0 ? 503 : 200).json({
      status: failing.length > 0 ? "unavailable" : "ready",
      failing,
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

export async function stateOf({
  name,
  ping,
}: Dependency): Promise<{ name: string; ok: boolean; fault?: string }> {
  try {
    await ping();
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}
