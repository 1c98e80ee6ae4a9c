import type { Finding } from "../../../src/domain/catalog/finding.ts";
import type { CatalogFiles } from "../../support/own-catalog.ts";
import { add, both, contentOf, copy, drop, inFile, type Plant, put, rename, swapped, write } from "./plant.ts";

/** A mistake that operators make in their files, and what a finding about it has to say. */
export interface PlantedMistake {
  readonly what: string;
  /** The file that the finding names. */
  readonly file: string;
  plant(files: CatalogFiles): void;
  /** Record and field, in the path of the finding. */
  readonly at: string;
  /** The wrong value, as the finding writes it. */
  readonly value: string;
  /** What to do about it, or what is allowed. */
  readonly advice: RegExp;
  readonly severity: Finding["severity"];
  /** When it is found: where a file does not match its schema, the others are not looked for, and so on. */
  readonly stage: "schema" | "reference" | "check";
  /** Whether it takes away what other mistakes are planted in. */
  readonly isAlone?: boolean;
}

type Row = readonly [
  what: string,
  plant: Plant,
  at: string,
  value: string,
  advice: RegExp,
  severity: Finding["severity"],
];
const POLICY_HOURS = "{fullRefundCutoffHours}";
const policyText = (change: (text: string) => string): Plant => {
  return ({ policies: [policy] }) => Object.assign(policy, { text: change(policy.text) });
};
const german = (change: (text: string) => string, as = "de"): Plant => {
  return ({ texts }) => {
    const english = Object.keys(texts).find((text) => text.includes(POLICY_HOURS)) ?? "";
    texts[english][as] = change(texts[english].de);
  };
};
const nextYear = new Date().getFullYear() + 1;
const lodge = "places/alpenglanz-lodge";
const NEW_POLICY = `Free up to ${POLICY_HOURS} h before the pickup.`;
const aNode = (id: string) => ({ id, name: id, lat: 46.9, lng: 7.5 });
const islandRoad = {
  ...{ from: "island-east", to: "island-west", km: 3, minutes: 4 },
  ...{ road: "local", source: "tests", checked: "2026-11" },
};
const sedan = {
  baseRappen: 2000,
  perKmRappen: 280,
  minimumRappen: 8000,
  firstHourRappen: 8000,
  furtherHourRappen: 7200,
};

// biome-ignore format: a table reads by its columns
const BY_FILE: Readonly<Record<string, readonly Row[]>> = {
  "tariff.json": [
    ["a negative rate", put("rates/sedan/perKmRappen", -280), "rates.sedan.perKmRappen", "-280", /greater than or equal to 0/, "mistake"],
    ["a rate of nothing", put("rates/van/perKmRappen", 0), "rates.van.perKmRappen", "0", /free of charge/, "fault"],
    ["a rate in francs", put("rates/estate/perKmRappen", 3), "rates.estate.perKmRappen", "3", /floor of 200/, "fault"],
    ["an hour below its floor", ({ rates, floor }) => (rates.estate.firstHourRappen = floor.hourRappen - 1), "rates.estate.firstHourRappen", "below the floor", /raise it/, "fault"],
    ["a rate ten times too high", put("rates/first_class/perKmRappen", 5500), "rates.first_class.perKmRappen", "5500", /CHF 55\.00, with other classes CHF 5\.\d\d: correct/, "warning"],
    ["a misspelled class", put("rates/coahc", { ...sedan, waitingStepRappen: 1500 }), "rates.coahc", "coahc", /did you mean coach/, "warning"],
    ["a rate of an unknown class", put("rates/limo", { ...sedan, waitingStepRappen: 1500 }), "rates.limo", "limo", /no class limo/, "warning"],
    ["a misspelled field", put("rates/minibus/perKmRapen", 550), "rates.minibus.perKmRapen", "perKmRapen", /allowed: .*perKmRappen/, "mistake"],
    ["another currency", put("currency", "EUR"), "currency", "EUR", /expected "CHF"/, "mistake"],
    ["a time zone of a town without one", put("timeZone", "Europe/Davos"), "timeZone", "Europe/Davos", /such as Europe\/Zurich/, "mistake"],
    ["VAT of a country by its name", put("vat/country", "Switzerland"), "vat.country", "Switzerland", /^unknown country Switzerland; did you mean CH\?/, "mistake"],
    ["a time zone with an umlaut", put("timeZone", "Europe/Zürich"), "timeZone", "Europe/Zürich", /did you mean Europe\/Zurich/, "mistake"],
    ["a lead time beyond the horizon", put("leadTimeHours", 9000), "leadTimeHours", "9000", /horizon of 365 days/, "fault"],
    ["a lead time that office hours never reach", (tariff) => Object.assign(tariff, { leadTimeHours: 80, horizonDays: 26, officeHours: { from: 9, to: 12 } }), "leadTimeHours", "80 h of office hours", /horizon of 26 days: nothing is sold/, "fault"],
    ["a lead time of 4,000 h", put("leadTimeHours", 4000), "leadTimeHours", "4000 h", /no journey of the next 166 days is sold/, "warning"],
    ["a horizon of a hundred years", put("horizonDays", 36_500), "horizonDays", "36500", /less than or equal to/, "mistake"],
    ["VAT of 81 %", put("vat/percent", 81), "vat.percent", "81", /such as 8\.1/, "fault"],
    ["VAT as a fraction", put("vat/percent", 0.081), "vat.percent", "0.081", /such as 8\.1/, "fault"],
    ["VAT without a VAT number", inFile("operator.json", drop("vatNumber")), "vat", "vatNumber", /add it/, "warning"],
    ["a percentage as a fraction", put("night/percent", 0.25), "night.percent", "0.25", /such as 25/, "warning"],
    ["30 February", put("holidays/days/0/date", "02-30"), "holidays.days.New Year's Day.date", "02-30", /calendar/, "mistake"],
    ["a return that costs nothing", put("returnDiscount/percent", 100), "returnDiscount.percent", "100", /lower/, "warning"],
    ["half off both journeys of a return", put("returnDiscount/percent", 50), "returnDiscount.percent", "50", /lower/, "warning"],
    ["a lead time of ten days", put("leadTimeHours", 240), "leadTimeHours", "240 h", /next 10 days is sold: lower/, "warning"],
    ["a horizon that lost a digit", put("horizonDays", 36), "horizonDays", "36 days", /raise/, "warning"],
    ["free waiting of 150 minutes", put("waiting/freeMinutes", 150), "waiting.freeMinutes", "150", /lower/, "warning"],
    ["an hour of hire with 60 km", put("hourly/includedKmPerHour", 60), "hourly.includedKmPerHour", "60 km", /correct/, "warning"],
    ["an hour of hire with 2.5 km", put("hourly/includedKmPerHour", 2.5), "hourly.includedKmPerHour", "2.5 km", /correct/, "warning"],
    ["a further hour at ten times the first", put("rates/estate/furtherHourRappen", 95_000), "rates.estate.furtherHourRappen", "CHF 950.00", /correct/, "warning"],
    ["waiting at a tenth of its rate", put("rates/van/waitingStepRappen", 180), "rates.van.waitingStepRappen", "CHF 1.80", /with other classes CHF 25\.00: correct/, "warning"],

    ["office hours backwards", put("officeHours", { from: 18, to: 8 }), "officeHours", "18", /later than/, "mistake"],
    ["a special item in francs", put("specialItemRappen/bicycle", 20), "specialItemRappen.bicycle", "20", /Rappen/, "warning"],
    ["ten hours of free waiting", put("waiting/freeMinutesAtAirports", 600), "waiting.freeMinutesAtAirports", "600", /less than or equal to 240/, "mistake"],
    ["a class without a rate", inFile("vehicle-classes.json", copy("vehicleClasses/van", { id: "limousine" })), "rates.limousine", "limousine", /add/, "mistake"],
    ["a new price under the old version", put("rates/sedan/baseRappen", 2500), "version", "own-1", /change/, "warning"],
  ],
  "vehicle-classes.json": [
    ["a minibus with 160 seats", put("vehicleClasses/minibus/passengerCapacity", 160), "minibus.passengerCapacity", "160", /correct/, "warning"],
    ["a class without seats", put("vehicleClasses/estate/passengerCapacity", 0), "estate.passengerCapacity", "0", /greater than or equal to 1/, "mistake"],
    ["a class with more large pieces than pieces", put("vehicleClasses/van/largeLuggageCapacity", 30), "van", "30 large pieces", /only \d+ in all/, "fault"],
    ["a class that nobody is offered", put("vehicleClasses/van/smallestParty", 40), "van.smallestParty", "40", /7/, "warning"],
  ],
  "fares.json": [
    ["a fare ten times too high", put("fares/zurich-davos/rappen/sedan", 490_000), "zurich-davos.rappen.sedan", "4900.00", /correct/, "fault"],
    ["a fare ten times too low", put("fares/zurich-zermatt/rappen/van", 9_800), "zurich-zermatt.rappen.van", "98.00", /correct/, "fault"],
    ["a fare in francs", put("fares/geneva-verbier/rappen/sedan", 495), "geneva-verbier.rappen.sedan", "4.95", /Rappen/, "fault"],
    ["a class that other fares have", drop("fares/geneva-verbier/rappen/van"), "geneva-verbier.rappen.van", "van", /[23] other fares have one: add/, "warning"],
    ["two fares for one journey", copy("fares/zurich-davos", { id: "davos-again" }), "zurich-davos", "davos-again", /remove one/, "fault"],
    ["a fare for no vehicle", put("fares/geneva-verbier/rappen", {}), "geneva-verbier.rappen", "", /: add one/, "mistake"],
    ["a misspelled zone", put("fares/zurich-zermatt/routes/0/to", "zermat-region"), "zurich-zermatt.routes", "zermat-region", /did you mean zermatt-region/, "mistake"],
    ["a fare that ends before it begins", put("fares/zurich-zermatt/validFrom", `${nextYear + 1}-01-01`), "zurich-zermatt.validTo", `${nextYear}-12-31`, new RegExp(`on ${nextYear + 1}-01-01: correct`), "mistake"],
    ["a fare that has ended", put("fares/geneva-verbier/validTo", "2024-03-31"), "geneva-verbier", "2024-03-31", /remove it, or/, "warning"],
    ["a fare of a class by what it is called", put("fares/geneva-verbier/rappen/Minibus, e.g. Mercedes-Benz Sprinter", 90_000), "geneva-verbier.rappen", "Minibus", /^unknown vehicle class .*did you mean minibus/, "mistake"],
    ["a fare of a class that there is not", put("fares/zurich-zermatt/rappen/limousine", 90_000), "zurich-zermatt.rappen.limousine", "limousine", /^unknown vehicle class limousine; allowed: sedan, estate, /, "mistake"],
    ["a misspelled part of the price", put("fares/zurich-davos/includes", ["nights"]), "zurich-davos.includes", "nights", /Expected .*'night'/, "mistake"],
  ],
  "zones.json": [
    ["a circle with lat and lng swapped", swapped("zones/zermatt-region/circle"), "zermatt-region.circle", "7.7491", /swapped/, "fault"],
    ["a zone without a place", add("zones", { id: "post-office", country: "CH", postcodes: ["9999"] }), "post-office", "", /list its places/, "warning"],
    ["a radius of 199 km", put("zones/zermatt-region/circle/radiusKm", 199), "zermatt-region.circle.radiusKm", "199", /correct/, "warning"],
    ["a postcode of another canton", put("zones/davos-region/postcodes", ["7260", "7270", "7250", "7050", "8001"]), "davos-region.postcodes", "8001", /Zürich in ZH, and most others are in GR: correct/, "warning"],
    ["a canton by its name", add("zones", { id: "home", cantons: ["Graubünden"] }), "home.cantons.0", "Graubünden", /^unknown canton .*; did you mean GR\?/, "mistake"],
    ["a canton that there is not", add("zones", { id: "away", cantons: ["XX"] }), "away.cantons.0", "XX", /^unknown canton .*allowed: AG, AI, .*, ZH/, "mistake"],
    ["postcodes of an unknown country", add("zones", { id: "abroad", country: "FL", postcodes: ["9490"] }), "abroad.country", "FL", /^unknown country .*did you mean LI/, "mistake"],
    ["a place of another continent", add("zones", { id: "far", places: ["xanadu-on-sea"] }), "far.places.0", "xanadu-on-sea", /^unknown place .*the command places lists them/, "mistake"],
    ["a misspelled place", put("zones/verbier-valley/places", ["verbir", "le-chable"]), "verbier-valley.places", "verbir", /did you mean verbier/, "mistake"],
    ["postcodes without a country", drop("zones/davos-region/country"), "davos-region", "", /"country": "CH"/, "mistake"],
    ["a country without postcodes", put("zones/verbier-valley/country", "CH"), "verbier-valley", "CH", /Postcodes need the country/, "mistake"],
    ["a radius in meters", put("zones/zermatt-region/circle/radiusKm", 3000), "zermatt-region.circle.radiusKm", "3000", /less than or equal to 200/, "mistake"],
    ["a record to remove that there is not", add("zones", { id: "davos-valey", remove: true }), "davos-valey", "davos-valey", /did you mean davos-valley/, "fault"],
  ],
  "places/own.json": [
    ["lat and lng swapped", swapped(lodge), "alpenglanz-lodge", "9.8", /swapped/, "fault"],
    ["a place 120 km from its road node", both(put(`${lodge}/lat`, 46.3), put(`${lodge}/lng`, 8.3)), "alpenglanz-lodge", "46.3", /correct/, "fault"],
    ["a misspelled road node", put(`${lodge}/node`, "davoss"), "alpenglanz-lodge.node", "davoss", /did you mean davos/, "mistake"],
    ["a part of an unknown town", put(`${lodge}/partOf`, "atlantis"), "alpenglanz-lodge.partOf", "atlantis", /unknown place/, "mistake"],
    ["a part of a part", put(`${lodge}/partOf`, "davos-dorf"), "alpenglanz-lodge.partOf", "davos-dorf", /itself a part of davos/, "mistake"],
    ["a misspelled car stop", put("places/zermatt/carFree/carStop", "tash"), "zermatt.carFree.carStop", "tash", /did you mean tasch/, "mistake"],
    ["a place that no road reaches", both(inFile("roads/own.json", add("nodes", aNode("island-east"), aNode("island-west"))), inFile("roads/own.json", add("edges", islandRoad)), add("places", { id: "avalon", name: "Avalon", kind: "village", country: "CH", canton: "BE", node: "island-west" })), "avalon", "from Zurich Airport", /no road leads there/, "fault"],
  ],
  "corridors.json": [
    ["a corridor ten times too long", put("corridors/zurich-airport-to-lucerne/distanceKm", 660), "zurich-airport-to-lucerne.durationMinutes", "660 km", /correct one of them/, "fault"],
    ["222 minutes given as 22", put("corridors/zurich-airport-to-zermatt/durationMinutes", 22), "zurich-airport-to-zermatt.durationMinutes", "22", /correct/, "fault"],
    ["an unknown kind of transfer", put("corridors/zurich-airport-to-lucerne/transferType", "ski"), "zurich-airport-to-lucerne.transferType", "ski", /'airport' \| 'resort' \| 'city'/, "mistake"],
  ],
  "seasons.json": [
    ["31 February", put("seasons/winter/dates/0/to", "02-31"), "winter.dates.0.to", "02-31", /calendar/, "mistake"],
    ["a fraction instead of a percentage", put("seasons/winter/percent", 0.12), "winter.percent", "0.12", /such as 12/, "warning"],
    ["a season that ends before it begins", put("seasons/quiet/dates", [{ from: "2031-11-29", to: "2031-11-02" }]), "quiet.dates.0", "2031-11-02", /on 2031-11-29: correct/, "mistake"],
    ["a season with its two days swapped", put("seasons/winter/dates", [{ from: "03-15", to: "12-20" }]), "winter", "from 03-15 to 12-20", /swap/, "warning"],
    ["discounts that take most of the fare", ({ seasons: [winter, quiet] }) => void [winter, quiet].map((season) => Object.assign(season, { percent: -25, dates: [{ from: "12-20", to: "01-15" }] })), "winter", "quiet -25 %, globetrek -10 %", /add up to 60 %/, "fault"],
    ["a misspelled weekday", put("seasons/quiet/weekdays", ["satuday"]), "quiet.weekdays", "satuday", /Expected .*'saturday'/, "mistake"],
    ["a season that has ended", put("seasons/quiet/dates", [{ from: "2023-11-02", to: "2023-11-29" }]), "quiet", "2023-11-29", /remove it, or/, "warning"],
  ],
  "availability.json": [
    ["a stop-sale of everything for ever", add("stopSales", { id: "all", reason: "On New Year's Eve cars are assigned by phone.", offer: "none" }), "all", "every class", /limit/, "fault"],
    ["a booking window without a limit", drop("bookingWindows/coach/leadTimeHours"), "coach", "", /leadTimeHours/, "mistake"],
    ["a booking window beyond its horizon", add("bookingWindows", { id: "never", leadTimeHours: 30, horizonDays: 1, classes: ["coach"] }), "never.leadTimeHours", "30 h", /horizon of 1 days: nothing is sold/, "fault"],
    ["a booking window of 4,000 h", put("bookingWindows/coach/leadTimeHours", 4000), "coach", "4000 h", /sold/, "warning"],
  ],
  "service-rules.json": [
    ["a rule that no journey reaches", ({ rules }) => rules.reverse(), "at-home", "abroad", /every journey: (move|remove)/, "warning"],
    ["an unknown country", put("rules/at-home/endIn/countries", ["CH", "FL"]), "at-home.endIn", "FL", /of service-area/, "mistake"],
    ["a misspelled zone of a rule", put("rules/at-home/endIn/places", ["davos-valey"]), "at-home.endIn", "davos-valey", /did you mean davos-valley/, "mistake"],
    ["a refusal without a reason", ({ rules }) => rules.unshift({ id: "refused", offer: "none" }), "refused", "", /needs a reason/, "mistake"],
    ["a rule of everything that sells nothing", ({ rules }) => rules.unshift({ id: "nobody", offer: "none", reason: "On New Year's Eve cars are assigned by phone." }), "nobody", "nobody", /limit/, "fault"],
  ],
  "closures.json": [
    ["a misspelled pass", put("closures/julier/road", "Julier Pas"), "julier.road", "Julier Pas", /did you mean Julier Pass/, "mistake"],
    ["a closure that has ended", ({ closures: [julier] }) => Object.assign(julier, { from: "2020-01-12", to: "2020-01-14" }), "julier", "2020-01-14", /has ended on/, "warning"],
    ["a closure that ends before it begins", put("closures/julier/to", `${nextYear}-01-02`), "julier", `${nextYear}-01-02`, new RegExp(`on ${nextYear}-01-12: correct`), "mistake"],
  ],
  "policies.json": [
    ["a text with other hours", policyText((text) => text.replace(POLICY_HOURS, "48")), "cancellation.text", "48", /write \{fullRefundCutoffHours\}/, "warning"],
    ["no cancellation policy", drop("policies/cancellation"), "cancellation", "", /missing/, "mistake"],
    ["no hours of free cancellation", drop("policies/cancellation/fullRefundCutoffHours"), "cancellation", "", /needs fullRefundCutoffHours/, "mistake"],
    ["a misspelled placeholder", policyText((text) => text.replace(POLICY_HOURS, "{fullRefundCutofHours}")), "cancellation.text", "{fullRefundCutofHours}", /allowed: .*\{fullRefundCutoffHours\}/, "mistake"],
    ["a part of what is refunded as a whole", put("policies/cancellation/partialRefunds", [{ hours: 24, percent: 50 }]), "cancellation.partialRefunds", "24 h", /: state fewer than 24 hours/, "fault"],
    ["a refund of more than all", put("policies/cancellation/partialRefunds", [{ hours: 12, percent: 150 }]), "cancellation.partialRefunds.0.percent", "150", /less than 100/, "mistake"],
    ["other hours under the same version", put("policies/cancellation/fullRefundCutoffHours", 2), "cancellation.version", "the policy changed", /still 2026-11-01: change it/, "warning"],
  ],
  "translations.json": [
    ["a translation that lost its placeholder", german((text) => text.replace(POLICY_HOURS, "24")), "cancellation.de", POLICY_HOURS, /add it/, "fault"],
    ["a label without German", drop("texts/Winter surcharge/de"), "de", "Winter surcharge", /not translated/, "warning"],
    ["a client's label without Italian", drop("texts/Agency discount/it"), "it", "Agency discount", /not translated/, "warning"],
    ["German as French", german((text) => text, "fr"), "fr", "Kostenlos", /is de, not fr: translate/, "warning"],
    ["a policy without a translation", inFile("policies.json", policyText(() => NEW_POLICY)), "de", NEW_POLICY, /not translated/, "warning"],
  ],
  "clients.json": [
    ["half as much again for a client", put("clients/bellevue/percent", 50), "bellevue.percent", "50", /pay more than travelers/, "warning"],
    ["ten percent more for a client", put("clients/bellevue/percent", 10), "bellevue.percent", "10", /write -10/, "warning"],
    ["a commission of 120 %", put("clients/globetrek/commissionPercent", 120), "globetrek.commissionPercent", "120", /less than or equal to 100/, "mistake"],
    ["a client twice", copy("clients/bellevue", { percent: -6 }), "bellevue", "bellevue", /duplicate/, "mistake"],
  ],
  "operator.json": [
    ["a national phone number", put("phone", "081 410 20 30"), "phone", "081 410 20 30", /\+41/, "mistake"],
    ["the operator of the packaged catalog", put("name", "Example Transfers"), "", "name Example Transfers", /placeholder/, "warning"],
    ["a placeholder for a phone number", put("phone", "+41 00 123 45 67"), "", "phone +41 00 123 45 67", /state your own/, "warning"],
    ["no e-mail address", put("email", "info at alpenglanz"), "email", "info at alpenglanz", /e-mail/, "mistake"],
    ["a website without https", put("website", "www.alpenglanz.test"), "website", "www.alpenglanz.test", /https/, "mistake"],
    ["a wrong VAT number", put("vatNumber", "CHE-116.281.711 MWST"), "vatNumber", "CHE-116.281.711", /check digit/, "fault"],
    ["a wrong number in the register", put("registerNumber", "CHE-116.281.711"), "registerNumber", "CHE-116.281.711", /check digit/, "fault"],
    ["a VAT number that lost digits", put("vatNumber", "CHE-116.281 MWST"), "vatNumber", "CHE-116.281", /nine digits/, "fault"],
    ["a logo that is not there", put("logo", "logo.svg"), "logo", "logo.svg", /add/, "mistake"],
    ["a color that is hard to read", put("color", "#f2a900"), "color", "#f2a900", /contrast of 1\.\d+ with the page, at least 4\.5 is legible: make it darker/, "warning"],
    ["a meeting point at an airport by its code", put("meetingPoints", { zrh: "The driver waits in Arrivals 2." }), "meetingPoints", "zrh", /did you mean zurich-airport/, "mistake"],
    ["a meeting point at an airport of no country served", put("meetingPoints", { "heathrow-london": "Terminal 5." }), "meetingPoints", "heathrow-london", /^unknown airport .*allowed: .*zurich-airport/, "mistake"],
    ["a meeting point at an unknown airport", put("meetingPoints", { "zurich-airprot": "The driver waits in Arrivals 2." }), "meetingPoints", "zurich-airprot", /did you mean zurich-airport/, "mistake"],
  ],
  "place-fees.json": [
    ["a fee in francs", put("placeFees/parking/rappen", 6), "parking.rappen", "6", /Rappen/, "warning"],
  ],
};

/** Mistakes with files themselves; other mistakes cannot be planted in these. */
// biome-ignore format: a table reads by its columns
const OF_FILES: readonly (readonly [file: string, ...row: Row])[] = [
  ["availabilty.json", "a misnamed file of stop-sales", inFile("availability.json", rename("availabilty.json")), "", "", /did you mean availability\.json/, "fault"],
  ["season.json", "a misnamed file of seasons", inFile("seasons.json", rename("season.json")), "", "", /did you mean seasons\.json/, "fault"],
  ["fare.json", "a misnamed file of fares", inFile("fares.json", rename("fare.json")), "", "", /did you mean fares\.json/, "fault"],
  ["place/", "a misnamed folder", inFile("places/own.json", rename("place/own.json")), "", "", /did you mean places/, "fault"],
  ["places/own.json", "a file in Latin-1", (content, files) => files.set("places/own.json", Buffer.from(JSON.stringify(content).replaceAll("–", "-").replaceAll("Lodge", "Löd"), "latin1")), "", "UTF-8", /save it/, "fault"],
  ["seasons.json", "a comma too many", write("seasons.json", '{"seasons": [],}'), "", "invalid JSON", /line \d|position \d/, "mistake"],
  ["tariff.json", "a key twice", (content, files) => files.set("tariff.json", JSON.stringify(content).replace("{", '{"leadTimeHours": 9,')), "leadTimeHours", "duplicate", /remove/, "fault"],
];

/** Of mistakes that are not in a file's schema: names of other records, placeholders and pictures. */
const OF_REFERENCES =
  /unknown (place|vehicle class|country|canton|airport)|itself a part|did you mean (davos-valley|davos|verbier|tasch|zermatt-region|zurich-davos|zurich-airport|Julier Pass)|of service-area|allowed: \.\*\\\{full|^add$/;

const mistakeOf = (file: string, [what, plant, at, value, advice, severity]: Row, plantIn = file): PlantedMistake => ({
  ...{ file, what, at, value, advice, severity },
  stage: severity !== "mistake" ? "check" : OF_REFERENCES.test(advice.source) ? "reference" : "schema",
  plant: (files) => plant(files.has(plantIn) ? contentOf(files, plantIn) : {}, files),
});

export const plantedMistakes: readonly PlantedMistake[] = [
  ...Object.entries(BY_FILE).flatMap(([file, rows]) => rows.map((row) => mistakeOf(file, row))),
  ...OF_FILES.map(([file, ...row]) => ({ ...mistakeOf(file, row), isAlone: true })),
];
