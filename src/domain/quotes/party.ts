import type { Charge } from "../../contract/charges.ts";
import { type FieldError, invalidRequest, PublicError } from "../../contract/errors.ts";
import { classNames } from "../../contract/notice-formats.ts";
import { counted, grouped, type Notice, notice, valueText } from "../../contract/notices.ts";
import { MOST_OF_A_KIND } from "../../contract/quote-request.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Luggage, VehicleClass } from "../catalog/catalog-schema.ts";
import { nearestName } from "../catalog/nearest-name.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { charge } from "../pricing/charge.ts";
import { isAt, type PricedDirection } from "../pricing/priced-direction.ts";
import { sum } from "../routing/router.ts";
import { type Load, offered, withRoom } from "./eligibility.ts";
import type { Journey } from "./quote.ts";

type Party = ReturnType<typeof partyOf>;

/**
 * People, luggage and special items, and the fleet as candidates for them, in catalog order. Throws NO_ELIGIBLE_VEHICLE
 * if no class has room for the party with its luggage and special items, INVALID_REQUEST if a special item is not
 * published or there are too many, or if there are more large pieces than pieces of luggage.
 */
export function partyOf(journey: Journey, catalog: Catalog) {
  const { passengers, children, infants, luggage, largeLuggage } = journey;
  const { specialItems: published } = catalog.luggage;
  const known = knownItems(journey.specialItems, catalog);
  if (largeLuggage !== null && largeLuggage > luggage) {
    const message = `More than luggage, which is ${luggage} and counts all pieces; send a luggage of ${largeLuggage} or more.`;
    throw invalidRequest([{ field: "large_luggage", message }]);
  }
  const ordered = known.flatMap(({ kind, count, ...asSent }) => {
    const found = published.find((each) => each.kind === kind);
    return found ? [{ ...found, ...asSent, count, item: { count, text: count === 1 ? found.one : found.many } }] : [];
  });
  const young = children + infants;
  // Passengers count all travelers. Where adults are omitted, only children that are more than all can contradict that.
  const people = journey.adults === null ? Math.max(passengers, young) : journey.adults + young;
  // Each child seat takes one of the vehicle's seats.
  const childSeats = sum(ordered.map(({ count, isChildSeat }) => (isChildSeat ? count : 0)));
  const seats = Math.max(passengers, people, childSeats);
  const specialItemPlaces = sum(ordered.map(({ count, places }) => count * places));
  // A child seat takes no room.
  const items = ordered.flatMap(({ item, places }) => (places > 0 ? [item] : []));
  const load = { seats, luggage, largeLuggage: largeLuggage ?? 0, specialItemPlaces, items };
  const candidates = withRoom(catalog.vehicleClasses, load);
  const classes = offered(candidates);
  if (classes.length === 0) throw noVehicle(load, catalog);
  const isSeatMissing = childSeats < young && published.some(({ isChildSeat }) => isChildSeat);
  const isWithoutAdults = young > 0 && (journey.adults ?? passengers - young) <= 0;
  const { name: operator, phone, email } = catalog.operator;
  const notices = [
    ...(isWithoutAdults ? [notice("CHILDREN_ALONE", { operator, phone, email })] : []),
    ...(people === passengers ? [] : [notice("PARTY_DIFFERS", { people, passengers, seats })]),
    ...(journey.adults === null && 0 < young && young < passengers ? [notice("ADULTS_OMITTED", { passengers })] : []),
    ...(largeLuggage === null ? largeLimits(luggage, classes) : []),
    ...ordered.map(({ item, sent, text }) => notice("SPECIAL_ITEM", { items: [item], sent, text })),
    ...(isSeatMissing ? [notice("CHILD_SEATS", { children: young, ordered: childSeats || undefined })] : []),
  ];
  const specialItems = known.map(({ kind, count }) => ({ kind, count }));
  return { stated: { adults: journey.adults ?? passengers, specialItems }, candidates, ordered, notices, ...load };
}

/** A notice about how many pieces may be large, for the offered classes that do not take all pieces as large ones. */
function largeLimits(luggage: number, classes: readonly VehicleClass[]): readonly Notice[] {
  const limited = classes.filter(({ largeLuggageCapacity }) => largeLuggageCapacity < luggage);
  if (limited.length === 0) return [];
  const limits = grouped(limited, ({ largeLuggageCapacity }) => largeLuggageCapacity).map((same) => ({
    text: String(same[0].largeLuggageCapacity),
    classes: same.map(({ id }) => id),
  }));
  return [notice("LARGE_LUGGAGE", { luggage, limits })];
}

function noVehicle({ seats, luggage, largeLuggage, items }: Load, catalog: Catalog): PublicError {
  const large = largeLuggage > 0 ? `, ${largeLuggage} of them large` : "";
  const withItems = items.length > 0 ? `, and takes ${valueText(items)}` : "";
  const orWithout = items.length > 0 ? ", or one without some of the special items" : "";
  const detail = `No vehicle class seats ${counted(seats, "passenger")} with ${counted(luggage, "piece")} of luggage${large}${withItems}.`;
  return new PublicError("NO_ELIGIBLE_VEHICLE", detail, { nextAction: forLargerParties(catalog, orWithout) });
}

/** What a party can do for which no vehicle is large enough. */
export function forLargerParties(
  { vehicleClasses, operator: { name, phone, email } }: Pick<Catalog, "vehicleClasses" | "operator">,
  orWithout = "",
): string {
  const [largest] = [...vehicleClasses].sort((a, b) => b.passengerCapacity - a.passengerCapacity);
  const called = largest && classNames(vehicleClasses)(largest.id);
  return `The largest class, ${called}, takes ${largest?.passengerCapacity} passengers and ${largest?.luggageCapacity} pieces of luggage. Ask the traveler about a smaller party${orWithout}; for this one the traveler can contact ${name} (${phone}, ${email}).`;
}

/** What special items cost. Throws INVALID_REQUEST if an item is offered at none of the pickups. */
export function itemCharges(
  ordered: Party["ordered"],
  { specialItemRappen, specialItemTerms }: Tariff,
  directions: readonly PricedDirection[],
): readonly Charge[] {
  const items = ordered.map(({ kind, count, item, index }) => {
    const { per, freeCount = 0, pickups } = specialItemTerms[kind] ?? {};
    const own = charge("item", Math.max(0, count - freeCount) * (specialItemRappen[kind] ?? 0), { item });
    const offered = directions.map((direction) => isOfferedAt(pickups, direction));
    if (offered.includes(true)) return { own, offered: per === "journey" ? [] : offered };
    const where = pickups === "airports" ? pickups : pickups?.join(", ");
    const message = `Only offered for pickups at: ${where}; remove ${kind}.`;
    throw invalidRequest([{ field: `special_items.${index}.kind`, message }]);
  });
  const names = directions.length > 1 ? (["outbound", "return"] as const) : [null];
  return [
    ...names.flatMap((direction, index) =>
      items.filter(({ offered }) => offered[index]).map(({ own }) => ({ ...own, direction })),
    ),
    ...items.filter(({ offered }) => offered.length === 0).map(({ own }) => own),
  ];
}

function isOfferedAt(
  pickups: Tariff["specialItemTerms"][string]["pickups"],
  { points: [from], waits }: PricedDirection,
): boolean {
  if (pickups === undefined) return true;
  if (pickups === "airports") return waits[0]?.atAirport ?? false;
  return from !== undefined && pickups.some((id) => isAt(id, from));
}

/**
 * The special items by their kinds in the catalog: how many were sent in all, `sent` where other names were, and the
 * index of the first. Throws INVALID_REQUEST for others.
 */
function knownItems(specialItems: Journey["specialItems"], { luggage, operator }: Catalog) {
  const kinds = luggage.specialItems.map(({ kind }) => kind);
  const read = specialItems.map((item) => ({ ...item, ...meaningOf(item.kind, luggage) }));
  const isOther = (each: (typeof read)[number]) => !(each.misspelled ?? each.notOffered) && !kinds.includes(each.kind);
  const faults = read.flatMap(({ kind, misspelled, notOffered }, index): FieldError[] => {
    const field = `special_items.${index}.kind`;
    if (notOffered !== undefined) return [{ field, message: `Not offered: ${notOffered}.` }];
    if (misspelled !== undefined)
      return [{ field, message: `Unknown kind; send ${misspelled} for ${kind}.`, candidates: [misspelled] }];
    if (!kinds.includes(kind)) {
      const offered = index === read.findIndex(isOther) ? `; offered are ${kinds.join(", ")}` : "";
      return [{ field, message: `Unknown kind${offered}.`, candidates: kinds }];
    }
    const count = sum(read.flatMap((each) => (each.kind === kind ? each.count : [])));
    if (count <= MOST_OF_A_KIND || read.findIndex((each) => each.kind === kind) < index) return [];
    return [{ field: `special_items.${index}.count`, message: `At most ${MOST_OF_A_KIND} in all, not ${count}.` }];
  });
  const isNotOffered = read.some(({ notOffered }) => notOffered !== undefined);
  const advice = [
    ...(isNotOffered ? [`No other kind replaces what is not offered; ${asksOperator(operator)}.`] : []),
    ...(read.some(isOther)
      ? [
          `Ask the traveler whether one of the kinds that are offered will do. For anything else ${asksOperator(operator)}.`,
        ]
      : []),
  ];
  if (faults.length > 0) throw invalidRequest(faults, advice.join(" ") || undefined);
  return grouped(read, ({ kind }) => kind).map((same) => ({
    kind: same[0].kind,
    count: sum(same.map(({ count }) => count)),
    sent: otherNames(same),
    index: read.indexOf(same[0]),
  }));
}

/** The other names of one kind, with their counts where it was sent by several names. */
function otherNames(same: readonly { readonly sent?: string | undefined; readonly count: number }[]) {
  const others = same.filter(({ sent }) => sent !== undefined);
  if (others.length === 0) return undefined;
  return others.map(({ sent, count }) => (same.length > 1 ? `${count} ${sent}` : sent)).join(", ");
}

/** What a traveler does who wants what this service has no answer to. */
export function asksOperator({ name, phone, email }: Catalog["operator"]): string {
  return `the traveler asks ${name} (${phone}, ${email})`;
}

/** What a name stands for: a kind, also in the plural; a kind that it misspells by a letter; or what is not offered. */
function meaningOf(sent: string, { specialItems, notOffered }: Luggage) {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, " ");
  const name = plain(sent);
  const named = <T>(items: readonly (readonly [T, readonly string[]])[]) =>
    new Map(items.flatMap(([meant, names]) => names.map((each) => [plain(each), meant] as const)));
  const singular = name.replace(/s$/, "");
  const isCalled = <T>(names: ReadonlyMap<string, T>) => names.get(name) ?? names.get(singular);
  const kinds = named(
    specialItems.map(({ kind, one, many, alsoCalled = [] }) => [kind, [...alsoCalled, one, many, kind]]),
  );
  const kind = isCalled(kinds);
  if (kind !== undefined) {
    const called = kinds.has(name) ? name : singular;
    const alsoCalled = specialItems.find((each) => each.kind === kind)?.alsoCalled;
    return { kind, sent: alsoCalled?.find((each) => plain(each) === called) };
  }
  const other = isCalled(named(notOffered.map(({ item, alsoCalled = [] }) => [item, [...alsoCalled, item]])));
  if (other !== undefined) return { notOffered: other };
  if (name.length < SHORTEST_MISSPELLED) return {};
  return { misspelled: kinds.get(nearestName(name, [...kinds.keys()], 1) ?? "") };
}

/** A letter makes a coat of a cat, and a card of a car. */
const SHORTEST_MISSPELLED = 6;
