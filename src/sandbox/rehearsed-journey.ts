import type { Catalog } from "../catalog/catalog.ts";
import { distinct, type Notice, notice, textsOf } from "../contract/notices.ts";
import type { PricedJourney, PricedOption } from "../quotes/quote.ts";
import type { Rehearsal } from "./rehearsals.ts";

/** A name that was sent, and the real place that was priced. */
export interface PricedName {
  readonly rehearsal: Rehearsal;
  readonly text: string;
  readonly standIn: string;
}

const PASS = { name: "Sandbox Pass", from: "11-05", to: "06-01" };
const KM_OFF_THE_ROADS = 12;

/** The price of the real places with what the names make of it: marked, and with the names as they were sent. */
export function rehearsedJourney(
  priced: PricedJourney,
  names: readonly PricedName[],
  { operator }: Pick<Catalog, "operator">,
): PricedJourney {
  const asSent = new Map(names.map(({ standIn, text }) => [standIn, text]));
  const sent = (text: string) => asSent.get(text) ?? text;
  const wanted = names.map(({ rehearsal }) => rehearsal);
  const contact = { operator: operator.name, phone: operator.phone, email: operator.email };
  const doubts = wanted.flatMap(doubtsOf);
  const isDoubtful = priced.requiresManualConfirmation || doubts.length > 0;
  const options = wanted.some((each) => each.hasOptionOnRequest) ? withOneOnRequest(priced.options) : priced.options;
  const classes = options.filter(({ onRequest }) => onRequest).map(({ vehicleClass }) => vehicleClass);
  const notices = distinct([
    ...names.map(({ rehearsal, standIn }) => notice("REHEARSAL", { name: rehearsal.name, place: standIn })),
    ...priced.notices.filter(({ code }) => code !== "ON_REQUEST"),
    ...(wanted.some((each) => each.avoidsPass) ? [notice("PASS_AVOIDED", PASS)] : []),
    ...doubts,
    ...(isDoubtful ? [notice("MANUAL_CONFIRMATION", contact)] : []),
    ...(!isDoubtful && classes.length > 0 ? [notice("ON_REQUEST", { classes: classes.join(", "), ...contact })] : []),
  ]);
  return {
    ...priced,
    origin: sent(priced.origin),
    destination: sent(priced.destination),
    stops: priced.stops.map((stop) => ({ ...stop, name: sent(stop.name) })),
    route: { ...priced.route, automaticallyPayable: priced.route.automaticallyPayable && !isDoubtful },
    options,
    requiresManualConfirmation: isDoubtful,
    limitations: textsOf(notices),
    notices,
  };
}

function doubtsOf({ doubt, name: place }: Rehearsal): readonly Notice[] {
  if (doubt === "ROAD_CLOSED") return [notice(doubt, { place, name: PASS.name })];
  if (doubt === "OFF_THE_ROADS") return [notice(doubt, { place, km: KM_OFF_THE_ROADS })];
  return [];
}

/** Of the options that can be paid, the one with the highest number. */
function withOneOnRequest(options: readonly PricedOption[]): readonly PricedOption[] {
  const highest = Math.max(...options.filter(({ onRequest }) => !onRequest).map(({ fleetId }) => fleetId));
  return options.map((option) => (option.fleetId === highest ? { ...option, onRequest: true } : option));
}
