import { setTimeout } from "node:timers/promises";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { Dependency } from "../../servers/http/health.ts";
import type { Config } from "../config/config.ts";

/**
 * The calendar of taken vehicles, read for the catalog and again every few minutes; `undefined` where none is configured.
 * Resolves after the first reading, or without it after `waitMs`: until there is one, every class is on request.
 */
export async function openCalendar(
  { availabilityUrl: url }: Pick<Config, "availabilityUrl">,
  catalog: Catalog,
  { clock, log, waitMs }: { readonly clock: Clock; readonly log: Log; readonly waitMs: number },
) {
  if (url === undefined) return undefined;
  const { createCalendarFeed } = await import("../../adapters/availability/calendar-feed.ts");
  const calendar = createCalendarFeed({ url, clock, log });
  await Promise.race([calendar.useFor(catalog), setTimeout(waitMs, undefined, { ref: false })]);
  // Not essential: without it, what is sold needs the operator's confirmation.
  const dependency: Dependency = { name: "availability", isEssential: false, ping: calendar.ping };
  return { ...calendar, dependency };
}
