import { LRUCache } from "lru-cache";
import { ERRORS, PublicError } from "../../contract/errors.ts";
import { classNames } from "../../contract/notice-formats.ts";
import { distinct, namingClasses, notice } from "../../contract/notices.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { fold } from "../../domain/places/names.ts";
import type { PlaceFinder } from "../../domain/places/place-finder.ts";
import type { PricedCall } from "../../domain/quotes/measured-journey.ts";
import type { Quoting } from "../../domain/quotes/quoting.ts";
import { sha256 } from "../../ops/ids.ts";
import type { Journey, JourneyPoint, PricedJourney, Services, StoredQuote } from "../calls/operation.ts";
import { RETRY_SECONDS, type Rehearsal, rehearsals } from "./rehearsals.ts";

/** A name in a journey, with the real place that it stands for. `id` is empty if no corridor is left. */
type StandIn = Rehearsal & { readonly field: string; readonly id: string; readonly place: string };

/** A refused request that is not resent for this long is refused again, as if it were new. */
const FORGOTTEN_AFTER_MS = 600_000;
const MOST_REFUSED = 1_000;
const BY_NAME = new Map(rehearsals.map((each) => [folded(each.name), each]));

/**
 * Pricing and checkout in which the names of `rehearsals` have their effect. Journeys without a name, and their quotes,
 * are not affected.
 */
export function inSandbox({
  catalog,
  clock,
  quoting,
  checkout,
}: Pick<Services, "catalog" | "clock" | "quoting" | "checkout">) {
  const succeedsAt = new LRUCache<string, number>({ max: MOST_REFUSED });
  return {
    quoting: { price } satisfies Quoting,
    checkout: {
      ...checkout,
      refusalOf(...[quote, ...others]: Parameters<typeof checkout.refusalOf>) {
        const states = statesOf(quote);
        const refusal = checkout.refusalOf(quote, ...others);
        if (states.length === 0) return refusal;
        try {
          if (refusal) throw refusal;
          for (const each of states) if (each.refuses === "checkout") refuse(each, "quote_id", quote.id);
        } catch (error) {
          throw marked(error);
        }
        return undefined;
      },
    },
  };

  async function price(journey: Journey, call: PricedCall): Promise<PricedJourney> {
    if (!journey.points.some(rehearsalOf)) return quoting.price(journey, call);
    const names = await standIns(journey.points, catalog, call);
    const find: PlaceFinder["find"] = async (text, signal) => {
      const name = names.get(text);
      if (name?.code === "INVALID_LOCATION") {
        const ends = catalog.corridors.map(({ destination }) => call.places.nameOf(destination));
        return { kind: "question", candidates: [...new Set([name.place, ...ends])].slice(0, 2), reason: "name" };
      }
      if (name?.refuses === "journey") refuse(name, name.field, JSON.stringify(journey));
      return (name && call.places.byId(name.id)) ?? call.places.find(text, signal);
    };
    try {
      const priced = await quoting.price(journey, { ...call, places: { ...call.places, find } });
      return rehearsed(priced, [...names.values()], catalog);
    } catch (error) {
      throw marked(error);
    }
  }

  /** Throws the problem of a rehearsal; returns if the request is to succeed this time. */
  function refuse({ name, code = "UPSTREAM_UNAVAILABLE", isOnce }: Rehearsal, field: string, request: string): void {
    const retryAfterSeconds = isOnce ? secondsLeft(sha256(name + request, "base64url")) : RETRY_SECONDS;
    if (retryAfterSeconds === 0) return;
    const fieldErrors = [{ field, message: "Not accepted in this rehearsal; send a real place." }];
    throw new PublicError(code, ERRORS[code].when, {
      ...(code === "INVALID_REQUEST" && { fieldErrors }),
      ...(ERRORS[code].retryable && { retryAfterSeconds }),
    });
  }

  /** Seconds until the request succeeds. At 0 it succeeds now, and the next identical request is refused again. */
  function secondsLeft(request: string): number {
    const now = clock.now().getTime();
    const known = succeedsAt.get(request);
    const at = known === undefined || now > known + FORGOTTEN_AFTER_MS ? now + RETRY_SECONDS * 1000 : known;
    if (now < at) succeedsAt.set(request, at);
    else succeedsAt.delete(request);
    return Math.max(0, Math.ceil((at - now) / 1000));
  }
}

/** Whether no call is to find the quote. */
export function isLost(quote: StoredQuote): boolean {
  return statesOf(quote).some((each) => each.isLost);
}

function statesOf({ rehearsal }: StoredQuote): readonly Rehearsal[] {
  return rehearsal ? rehearsals.filter(({ name }) => rehearsal.names.includes(name)) : [];
}

/** The rehearsal that a point names. The text of a point with coordinates is only a label. */
function rehearsalOf({ text, position }: JourneyPoint): Rehearsal | undefined {
  // Folding every text takes 1 % of a quote.
  return position || !/^\s*sandbox\b/i.test(text) ? undefined : BY_NAME.get(folded(text));
}

function folded(text: string): string {
  return fold(text.replaceAll(",", " "));
}

function marked(error: unknown): unknown {
  if (!(error instanceof PublicError)) return error;
  return new PublicError(error.code, `Rehearsal: ${error.message}`, { ...error.options, isRehearsal: true });
}

/**
 * By text, a real place for each name: an end of a published corridor, preferably one whose other end the journey
 * contains, and never a place that the journey contains itself.
 */
async function standIns(points: readonly JourneyPoint[], { corridors }: Catalog, call: PricedCall) {
  const { places, signal, observe } = call;
  const ids = new Map<string, string | null>();
  for (const { field, text, position } of points.filter((point) => !rehearsalOf(point))) {
    const location = position ? places.at(position, text) : await observe("places", () => places.find(text, signal));
    if (location.kind === "found") ids.set(field, location.place.id);
  }
  const names = new Map<string, StandIn>();
  for (const point of points) {
    const rehearsal = rehearsalOf(point);
    if (!rehearsal || names.has(point.text)) continue;
    const { field } = point;
    const [mine, other] =
      field === "origin" ? (["origin", "destination"] as const) : (["destination", "origin"] as const);
    const free = corridors.filter((corridor) => ![...ids.values()].includes(corridor[mine]));
    const id = (free.find((corridor) => corridor[other] === ids.get(other)) ?? free[0])?.[mine] ?? "";
    ids.set(field, id);
    names.set(point.text, { ...rehearsal, field, id, place: places.nameOf(id) });
  }
  return names;
}

/** The price of the real places, marked as a rehearsal and with the state that the names provoke. */
function rehearsed(
  priced: PricedJourney,
  states: readonly StandIn[],
  { operator, vehicleClasses }: Catalog,
): PricedJourney {
  const contact = { operator: operator.name, phone: operator.phone, email: operator.email };
  const isManual = states.some((each) => each.isManual);
  const requiresManualConfirmation = priced.requiresManualConfirmation || isManual;
  const requested = states.some((each) => each.hasOptionOnRequest)
    ? priced.options.findLast(({ onRequest }) => !onRequest)
    : undefined;
  const options = priced.options.map((each) => (each === requested ? { ...each, onRequest: true } : each));
  const onRequest = options.filter((each) => each.onRequest).map(({ vehicleClass }) => vehicleClass);
  const reason = priced.notices.find(({ code }) => code === "ON_REQUEST")?.values.reason;
  const notices = [
    ...states.map(({ name, place }) => notice("REHEARSAL", { name, place })),
    ...states.flatMap((each) => each.notice?.(each.place) ?? []),
    ...(isManual ? [notice("MANUAL_CONFIRMATION", contact)] : []),
    ...priced.notices.filter(({ code }) => code !== "ON_REQUEST"),
    ...(onRequest.length > 0 && !requiresManualConfirmation
      ? [notice("ON_REQUEST", { classes: [{ classes: onRequest }], ...contact, reason })]
      : []),
  ];
  const validMilliseconds = states.flatMap(({ validSeconds }) => (validSeconds ? validSeconds * 1000 : []));
  return {
    ...priced,
    options,
    requiresManualConfirmation,
    notices: namingClasses(distinct(notices), classNames(vehicleClasses)),
    rehearsal: {
      names: states.map(({ name }) => name),
      validMilliseconds: validMilliseconds.length > 0 ? Math.min(...validMilliseconds) : undefined,
    },
    route: { ...priced.route, automaticallyPayable: priced.route.automaticallyPayable && !requiresManualConfirmation },
  };
}
