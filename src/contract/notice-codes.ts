/**
 * The English template of every notice to the traveler, in a table for each place that a page shows it in. A notice also
 * carries its values, so that a page can render it in another language.
 */

/** A traveler has to have read it before paying; pages never fold it. */
const DECISIVE = {
  // Places
  CONNECTION_AT_NIGHT:
    "The car is at {stop} ({time moment}): at night the connection with {place} may not run. Check beforehand.",
  SHORT_STAY:
    "The stay of {minutes duration} at {stop} is too short to visit {place}: the way there and back takes {way_min duration}[, with a connection every {every_min duration}].",
  // Party and times
  PARTY_DIFFERS:
    "Adults, children and infants are {people} in all, but passengers are {passengers}; the vehicles have room for {seats}.",
  CHILDREN_ALONE:
    "By these numbers no adult travels. Ask {operator} ({phone}, {email}) before booking whether children may travel alone.",
  ASSUMED_PASSENGERS: "The number of passengers was not stated: the price is for {passengers}.",
  ASSUMED_LUGGAGE: "Luggage was not stated: it is free, but must fit the vehicle.",
  HOURS_IGNORED:
    "This is a transfer and no hire: duration_hours {hours} has no effect without booking_type hourly. For a car and driver by the hour, ask again with booking_type hourly.",
  OWN_METRICS:
    "[The price rests on the {km} km and {minutes duration} that were sent, not on a measured route: car trains, tolls, closed roads and detours are not included.|The price rests on the {km} km that were sent; driving time, tolls and car trains are those of the measured route, which may be another.|The times rest on the driving time of {minutes duration} that was sent; the route was measured.]",
  CHILD_SEATS:
    "[For {children} {children|child|children}, {ordered} child {ordered|seat is|seats are} ordered|No child seat is ordered for {children} {children|child|children}]. Order one for each child who needs it, or bring your own.",
  LOCAL_TIME: "The [{by?}latest arrival|pickup] is on {date date} at {time} local time; it was sent as {sent}.",
  LEAVE_BY:
    "Times and prices hold if the car leaves by {time moment}[ to reach the {name}]: later, within the free waiting[{lands?} after a landing on time], [the way has {km} km and takes {minutes duration}, and ][{leg?}both journeys together cost|the journey costs] {prices}.[ If the traveler may need that long, send waiting_minutes {wait_min}: the higher price is then charged in any case.]",
  LEAVE_BY_CLOSING:
    "The car has to leave by {time moment}: later, within the free waiting, no road to the destination is open that day.",
  ARRIVE_BY:
    "This is the latest pickup, in steps of {step_min} min, with which the car reaches {place} by {time} on {date date}, with no margin for traffic.[{at_airport?} Check-in for a flight is covered only if that time includes it.][{lands?} To be in time the car must leave at the pickup time: the flight has to land early enough for the traveler to be at the car by then.][ To be there in time the car must not miss the {name}; the wait for it is an average, so that the car may be there a little later.]",
  // Price
  HIRE_THERE_FROM: "Without other stays than those stated, the car can be at {place} from {time moment}.",
  // Route
  TRAIN_AVOIDED:
    "The {name} does not run in time for this pickup: the car takes another route, which takes longer[ and is {more_km} km longer].",
  // Why a journey needs manual confirmation
  ROAD_CLOSED: "{place} is on a road that is closed at that time: {name}.",
  TRAIN_BY_ARRANGEMENT: "The {name} has no timetable and runs by arrangement.",
  PASS_CLOSED:
    "{name} is [{uncertain?}usually closed from {from day} to {to day}; the pickup is within three weeks of these dates|closed from {from day} to {to day}].",
  ON_REQUEST: "On request: {classes}. {operator} ({phone}, {email}) must confirm before booking.[ {reason}]",
  MANUAL_CONFIRMATION: "{operator} ({phone}, {email}) must confirm this journey before it can be booked.",
} as const;

/** It says what the price includes; pages list these together. */
const INCLUDED = {
  RETURN_INCLUDED:
    "The price includes the return journey of {km} km without stops. It is a separate journey: the car does not wait for it; on a hire by the hour it does.",
  HIRE: "Hire of {hours} h with {km} km included; car and driver stay with the traveler.[{back?} With the drive back the journey takes longer than {requested} h, so {hours} h are charged.|{longer?} The journey takes longer than {requested} h, so {hours} h are charged.| Started hours are charged: {requested} h cost as much as {hours} h.]",
  EXTRA_KM: "The price contains {km} extra km{classes only}.",
  FIXED_FARE: "{fare}{classes only} includes {includes parts}{free_min duration} of waiting at the pickup.",
  WAITING:
    "Waiting [is free for {free_min duration} at the outbound pickup and for {return_free_min duration} at the return pickup|{each?}is free for {free_min duration} at each pickup|at the pickup is free for {free_min duration}|at the return pickup is free for {return_free_min duration}]; each started {step_min} min after that is charged[ at {prices}].",
  AGREED_WAITING:
    "As requested, the driver waits [{stays?}at the pickup and at stops in the same place|at the pickup], {minutes duration} in all{classes only}[{hire?}: this is part of the hours|, which the times contain: {free_min duration} are free, the price includes the next {charged_min duration}, and each started {step_min} min beyond these costs {prices}|, which the times contain, at no charge].",
  DRIVER_WAITS:
    "As requested, the driver waits at {places}, {minutes duration} in all[{round?}: the first {free_min duration} at each place are free, the price includes the rest, and each started {step_min} min beyond costs {prices}. A round trip costs no more than a hire of the same hours|: the first {free_min duration} at each place are free, the price includes the next {charged_min duration}, and each started {step_min} min beyond these costs {prices}|, at no charge; beyond {free_min duration} at each place, each started {step_min} min costs {prices}].[{now?} A longer stay may cost less if it is stated now.][{long?} For a stay that long, two separate journeys may cost less.]",
  CAR_TRAIN: "Includes the {name}: about {wait_min duration} wait, {ride_min duration} ride.",
  TOLL: "Includes tolls: [{motorways?}{name}, motorways|{name}|motorways].",
} as const;

/** For those who see no legs and promises: pages show the same by themselves, and have no sentence for it. */
const IN_LEGS = {
  CAR_FREE:
    "{place} is car-free: pickup/arrival[{returns?}, also return pickup/arrival,] at {stop}. {onward} [{included?}Included.|Not included.]",
  STOP: "The car stops at {places}[ from {arrival moment} to {departure moment}|, where the driver waits within the {hours} h of the hire|. No stay was stated: times and price include none].",
  AIRPORT_PICKUP:
    "[{waits?}Waiting counts from landing|The hours count from the landing at {place}, on time or late, and include baggage claim].[ Times exclude baggage claim{classes only}.][{unknown?} State the flight number.|{at_booking?} State its flight number when booking.]",
  MEETING_POINT: "Meeting point at {place}: [{text}|{operator} tells it after booking ({phone}).]",
  FREE_CANCELLATION_ENDED:
    "Free cancellation is no longer possible: it ends {hours} h before the pickup[{full?}; a cancellation now costs the full price].",
  HIRE_ENDS:
    "The hire ends at {place} at {time moment}[: the car does not bring the traveler back to {origin}|, where it starts].[ {hours} h are not enough to drive back to {origin} as well.]",
} as const;

const NOTES = {
  // Sandbox
  REHEARSAL: 'Rehearsal: for "{name}" the sandbox priced {place}. No car will come.',
  // Places
  ADDRESS_UNKNOWN:
    'The address "{text}" is not known here: the price is for the center of {place}, and the exact address is agreed with the driver.',
  // Party and times
  LARGE_LUGGAGE: "At most {limits} of the {luggage} {luggage|piece|pieces} of luggage may be large.",
  NOT_OFFERED:
    "Not offered[{reason?} at that time|{taken?} at that time]: {classes}. [{taken?}All of these vehicles are taken.|{seats?}Too few seats.|{larger?}For larger parties.|There is no room for {luggage} {luggage|piece|pieces} of luggage.|There is no room for {large} large {large|piece|pieces} of luggage.|There is not enough room for {items}.|It is hired for at least {least_hours} h.|It can be booked for pickups from {from instant} to {to instant}.|{reason}]",
  VEHICLES_ON_REQUEST:
    "[{taken?}All of these vehicles are taken at that time|It is not known now whether one of these vehicles is free at that time]: {classes}.",
  ADULTS_OMITTED:
    "Adults were not stated: the {passengers} passengers are all travelers, children and infants among them.",
  SPECIAL_ITEM: "{items}[ (for {sent})]: {text}",
  LEAVE_PLACE_BY:
    "[Leave {place} by {time moment} to be at {stop} at {at moment}|Check the timetable from {place} to be at {stop} at {at moment}].",
  CORRIDOR_TEXT: "{text}",
  FLIGHT_ELSEWHERE:
    "A flight number was sent, but {place} is not an airport: the pickup does not depend on the flight.",
  REFUND:
    "Canceled [until {until instant}: {percent} % of the price is refunded|after {from instant}: nothing is refunded].",
  LEGS_CANCELED:
    "Outbound and return journey can [only be canceled together, at no charge until {hours} h before the outbound pickup|be canceled separately; the operator says what is refunded for one].",
  // Price
  HIRE_OVERTIME:
    "Each started hour beyond {hours} h is charged at {hour_prices} and the surcharges of its time, with {hour_km} km more, and each km beyond {km} km at {km_prices}.[ Its km replace extra km first: the next hour adds {next_prices} and its surcharges in full.]",
  HIRE_MINIMUM: "With its kilometers a hire of {hours} h costs more; that is the least that is charged{classes only}.",
  TRANSFER_MINIMUM:
    "The price is that of the same journey as a transfer with the stated stays and waiting, which is higher than that of the hours: further hours and km cost only what exceeds {amounts}.",
  PART_MINIMUM:
    "[{stops?}With all its stops the journey costs at least as much as with fewer or none|The journey costs at least as much as a part of it alone]{classes only}.",
  FREE_TRAIN_KM: "The {km} km on car trains are not charged.",
  FIXED_FARE_APPLIES:
    "{fare} applies [{applies?}with these stops too, because they are on its way|{detour?}only to the usual way, on which a road may be closed or a train does not run; here it is the least that is charged|only without stops, or with stops on its way; here it is the least that is charged]{classes only}.",
  NIGHT_SURCHARGE:
    "Night surcharge of [{supplement}|{amount}, and {percent} % on {hours} of {of_hours} h|{percent} % on {hours} of {of_hours} h|{percent} % on the fare, by the dearest time from pickup to departure]{classes only}, from {from} to {to}.",
  SEASON:
    "{season}{classes only}: {percent} % [{off?}off|on] [{hours} of {of_hours} h|the fare][{limited?}, but not below the minimum fare].",
  HOLIDAY_SURCHARGE:
    "Holiday surcharge of {percent} % on [{hours} of {of_hours} h|the fare] ({holiday}){classes only}.",
  VAT: "Prices include [{percent} % VAT: {amounts}|taxes; this journey crosses a border, so VAT is not shown separately].",
  // Route
  VIA: "Route: {roads}.",
  PASS_AVOIDED:
    "{name} is usually closed from {from day} to {to day}[{uncertain?}. Within three weeks of these dates the route avoids it; if it is open, the drive may take less time|: the route avoids it].",
  ROAD_CLOSED_UNTIL: "{name} is closed from {from instant} to {to instant}; the route avoids it. {reason}",
  TOWN_DISTANCE: "The distance inside the town from {from} to {to} is estimated at {km} km.",
  // Why a journey needs manual confirmation
  OFF_THE_ROADS: "{place} is {km} km from the nearest road in the data of this service.",
  LONG_DETOUR: "The route from {from} to {to} is {times} times as long as the straight line.",
  ROADS_UNCHECKED: "Closed passes, tolls and car trains on this journey could not be checked.",
  ROUTE_MAY_DIFFER:
    "The measured route may [take the {name}, which does not run at that time|{crosses?}lead over a pass that is closed|{misses?}not use the car train or toll road that is named|have other tolls than those in the price].",
} as const;

export const NOTICES = { ...NOTES, ...IN_LEGS, ...INCLUDED, ...DECISIVE };

export type NoticeCode = keyof typeof NOTICES;

/** What pages do with a notice, by its table; nothing for a code of an earlier version. */
export function attributesOf(code: string): NoticeAttributes {
  if (Object.hasOwn(DECISIVE, code)) return { decisive: true };
  if (Object.hasOwn(INCLUDED, code)) return { included: true };
  return Object.hasOwn(IN_LEGS, code) ? { in_legs: true } : {};
}

export interface NoticeAttributes {
  readonly included?: true;
  readonly in_legs?: true;
  readonly decisive?: true;
}
