import { closestMatch } from "leven";
import { LRUCache } from "lru-cache";
import type { Handle } from "../calls/call-pipeline.ts";
import {
  type AcceptedCall,
  type Operation,
  type PricedJourney,
  problemCodesOf,
  type Services,
  type StoredQuote,
} from "../calls/operation.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { ERRORS, type ErrorCode, PublicError } from "../contract/errors.ts";
import { classNames, distinct, namingClasses, notice } from "../contract/notices.ts";
import type { QuoteRequest } from "../contract/quote-request.ts";
import { sha256 } from "../ops/ids.ts";
import { fold } from "../places/index/names.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import { PASS, RETRY_SECONDS, type Rehearsal, rehearsals } from "./rehearsals.ts";

type Input = Partial<Pick<QuoteRequest, "origin" | "destination" | "waypoints">> & { readonly quote_id?: string };

/** A text that begins like a sandbox name; `rehearsal` is undefined if the table does not contain it. */
interface SentName {
  readonly field: string;
  readonly text: string;
  readonly rehearsal: Rehearsal | undefined;
}

/** Throws the problem of a rehearsal; returns if it is to succeed this time. */
type Refuse = (rehearsal: Rehearsal, field: string) => void;

const MARK = "Rehearsal: ";
/** A refused request that is not resent for this long is refused again, as if it were new. */
const FORGOTTEN_AFTER_MS = 600_000;
const MOST_REFUSED = 1_000;

/**
 * Handles calls so that sandbox names in their arguments have the effect described in `rehearsals`. The call pipeline has
 * authenticated, charged and validated the call before. Calls without a name are not affected.
 */
export function createSandbox(): Handle {
  const succeedsAt = new LRUCache<string, number>({ max: MOST_REFUSED });

  return async (operation, args, services, call) => {
    const input = args as Input;
    const names = namesIn(input).filter((name) => isMeant(operation, name));
    const { quote_id: id } = input;
    const quote = id === undefined ? undefined : await services.quotes.find(id);
    // The operation gets the quote that has just been read.
    const found = id === undefined ? services : { ...services, quotes: { find: async () => quote } };
    if (names.length === 0 && !quote?.rehearsal) return operation.handle(input, found, call);
    try {
      const rehearsing = quote
        ? withQuote(quote, found, refuse)
        : await withNames(input, names, services, call, refuse);
      return await operation.handle(input, rehearsing, call);
    } catch (error) {
      if (!(error instanceof PublicError) || (quote && isHidden(quote, error.code))) throw error;
      throw new PublicError(error.code, `${MARK}${error.message}`, { ...error.options, isRehearsal: true });
    }

    /** Whether a mark in the error would reveal the quote to a caller that has neither its token nor its link. */
    function isHidden({ ownerSubject }: StoredQuote, code: ErrorCode): boolean {
      return operation.access.kind === "signature" ? code === "QUOTE_NOT_FOUND" : ownerSubject !== call.subject;
    }

    function refuse({ name, code = "UPSTREAM_UNAVAILABLE", isOnce }: Rehearsal, field: string): void {
      const request = sha256(JSON.stringify([operation.name, call.subject, input, name]), "base64url");
      const retryAfterSeconds = isOnce ? secondsLeft(request, services.clock.now().getTime()) : RETRY_SECONDS;
      if (retryAfterSeconds === 0) return;
      const fieldErrors = [{ field, message: "Not accepted in this rehearsal; send a real place." }];
      throw new PublicError(code, ERRORS[code].when, {
        ...(code === "INVALID_REQUEST" && { fieldErrors }),
        ...(ERRORS[code].retryable && { retryAfterSeconds }),
      });
    }
  };

  /** Seconds until the request succeeds. At 0 it succeeds now, and the next identical request is refused again. */
  function secondsLeft(request: string, now: number): number {
    const known = succeedsAt.get(request);
    const at = known === undefined || now > known + FORGOTTEN_AFTER_MS ? now + RETRY_SECONDS * 1000 : known;
    if (now < at) succeedsAt.set(request, at);
    else succeedsAt.delete(request);
    return Math.max(0, Math.ceil((at - now) / 1000));
  }
}

/** The services of a call whose places contain sandbox names: it is refused, or gets real places in their stead. */
async function withNames(
  input: Input,
  sent: readonly SentName[],
  services: Services,
  { signal }: AcceptedCall,
  refuse: Refuse,
): Promise<Services> {
  const { catalog, places, quoting } = services;
  const names = await standIns(input, sent, services, signal);
  const states = names.flatMap(({ rehearsal, place }) => (rehearsal ? [{ ...rehearsal, place }] : []));
  const find: PlaceFinder["find"] = async (text, signal) => {
    const name = names.find((each) => each.text === text);
    if (!name) return places.find(text, signal);
    const { field, rehearsal, place, id } = name;
    if (!rehearsal) {
      const known = rehearsals.map((each) => each.name);
      const nearest = closestMatch(text.slice(0, 64), known, { maxDistance: 5 });
      return { kind: "unclear", candidates: nearest === undefined ? [] : [nearest] };
    }
    if (rehearsal.code === "INVALID_LOCATION") {
      const others = catalog.corridors.map(({ destination }) => places.nameOf(destination));
      return { kind: "unclear", candidates: [...new Set([place, ...others])].slice(0, 2) };
    }
    if (rehearsal.refuses === "journey") refuse(rehearsal, field);
    return places.byId(id) ?? places.find(text, signal);
  };
  return {
    ...services,
    places: { ...places, find },
    quoting: { price: async (journey, by) => rehearsed(await quoting.price(journey, by), states, catalog) },
    rehearsal: states.map(({ name, place }) => `${MARK}for "${name}" the sandbox describes ${place}.`).join(" "),
  };
}

/** The services of a call with the id of a sandbox quote. */
function withQuote(quote: StoredQuote, services: Services, refuse: Refuse): Services {
  const { checkout } = services;
  const states = rehearsals.filter(({ name }) => quote.rehearsal?.names.includes(name));
  const assertSelfServable: typeof checkout.assertSelfServable = (...of) => {
    checkout.assertSelfServable(...of);
    for (const each of states) if (each.refuses === "checkout") refuse(each, "quote_id");
  };
  const isLost = states.some((each) => each.isLost);
  return {
    ...services,
    checkout: { ...checkout, assertSelfServable },
    quotes: { find: async () => (isLost ? undefined : quote) },
  };
}

/** The sandbox names in a request, except at stops with coordinates, whose text is only a label. */
function namesIn(input: Input): readonly SentName[] {
  return textsIn(input)
    .filter(({ text }) => /^\s*sandbox\b/i.test(text))
    .map(({ field, text }) => {
      const folded = fold(text.replaceAll(",", " "));
      return { field, text, rehearsal: rehearsals.find(({ name }) => fold(name) === folded) };
    });
}

function textsIn({ origin, destination, waypoints }: Input) {
  const stops = (waypoints ?? []).map(({ name, lat }, at) => ({
    field: `waypoints.${at}.name`,
    text: typeof lat === "number" ? undefined : name,
  }));
  const all = [{ field: "origin", text: origin }, ...stops, { field: "destination", text: destination }];
  return all.flatMap(({ field, text }) => (text ? [{ field, text }] : []));
}

/** Whether the operation can end with the code of a name; if not, the name is treated as an unknown place. */
function isMeant(operation: Operation, { rehearsal }: SentName): boolean {
  const { refuses, code } = rehearsal ?? { refuses: "journey", code: "INVALID_LOCATION" };
  return refuses !== "journey" || code === undefined || problemCodesOf(operation).includes(code);
}

/**
 * Assigns a real place to each name: an end of a published corridor, preferably one whose other end the request
 * contains, and never a place that the request contains itself. `id` is empty if no corridor is left.
 */
async function standIns(
  input: Input,
  names: readonly SentName[],
  { catalog, places, observe }: Services,
  signal: AbortSignal,
) {
  const ids = new Map<string, string | null>();
  for (const { field, text } of textsIn(input)) {
    if (names.some((name) => name.field === field)) continue;
    const location = await observe("places", () => places.find(text, signal));
    if (location.kind === "found") ids.set(field, location.place.id);
  }
  return names.map((name) => {
    const [mine, other] =
      name.field === "origin" ? (["origin", "destination"] as const) : (["destination", "origin"] as const);
    const free = catalog.corridors.filter((corridor) => ![...ids.values()].includes(corridor[mine]));
    const id = (free.find((corridor) => corridor[other] === ids.get(other)) ?? free[0])?.[mine] ?? "";
    ids.set(name.field, id);
    return { ...name, id, place: places.nameOf(id) };
  });
}

/** The price of the real places, marked as a rehearsal and with the state that the names provoke. */
function rehearsed(
  priced: PricedJourney,
  states: readonly (Rehearsal & { readonly place: string })[],
  { operator, vehicleClasses }: Catalog,
): PricedJourney {
  const contact = { operator: operator.name, phone: operator.phone, email: operator.email };
  const doubts = states.flatMap(({ doubt, name }) => doubt?.(name) ?? []);
  const requiresManualConfirmation = priced.requiresManualConfirmation || doubts.length > 0;
  const payable = priced.options.filter(({ onRequest }) => !onRequest).map(({ fleetId }) => fleetId);
  const requested = states.some(({ hasOptionOnRequest }) => hasOptionOnRequest) ? Math.max(...payable) : undefined;
  const options = priced.options.map((each) => (each.fleetId === requested ? { ...each, onRequest: true } : each));
  const classes = options.filter(({ onRequest }) => onRequest).map(({ vehicleClass }) => vehicleClass);
  const reason = priced.notices.find(({ code }) => code === "ON_REQUEST")?.values.reason ?? "";
  const notices = [
    ...states.map(({ name, place }) => notice("REHEARSAL", { name, place })),
    ...doubts,
    ...(doubts.length > 0 ? [notice("MANUAL_CONFIRMATION", contact)] : []),
    ...priced.notices.filter(({ code }) => code !== "ON_REQUEST"),
    ...(states.some(({ avoidsPass }) => avoidsPass) ? [notice("PASS_AVOIDED", PASS)] : []),
    ...(classes.length > 0 && !requiresManualConfirmation
      ? [notice("ON_REQUEST", { classes: [{ classes }], ...contact, reason })]
      : []),
  ];
  const validSeconds = states.flatMap((each) => each.validSeconds ?? []);
  return {
    ...priced,
    options,
    requiresManualConfirmation,
    notices: namingClasses(distinct(notices), classNames(vehicleClasses)),
    rehearsal: {
      names: states.map(({ name }) => name),
      validMilliseconds: validSeconds.length > 0 ? Math.min(...validSeconds) * 1000 : undefined,
    },
    route: { ...priced.route, automaticallyPayable: priced.route.automaticallyPayable && !requiresManualConfirmation },
  };
}
