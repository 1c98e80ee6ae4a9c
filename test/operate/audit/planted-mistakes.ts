import type { Finding } from "../../../src/domain/catalog/finding.ts";
import type { CatalogFiles } from "../../support/catalog-folder.ts";
import type { Fields } from "../../support/mcp-client.ts";
import {
  add,
  both,
  contentOf,
  copy,
  drop,
  inFile,
  type Plant,
  put,
  type Row,
  rename,
  swapped,
  write,
} from "./plant.ts";
import { IN_PRICES } from "./planted-in-prices.ts";

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

// biome-ignore format: a table reads by its columns
const BY_FILE: Readonly<Record<string, readonly Row[]>> = {
  ...IN_PRICES,
  "zones.json": [
    ["a circle with lat and lng swapped", swapped("zones/zermatt-region/circle"), "zermatt-region.circle", "7.7491", /swapped/, "fault"],
    ["a radius of 199 km", put("zones/zermatt-region/circle/radiusKm", 199), "zermatt-region.circle.radiusKm", "199", /correct/, "warning"],
    ["a postcode of another canton", put("zones/davos-region/postcodes", ["7260", "7270", "7250", "7050", "8001"]), "davos-region.postcodes", "8001", /Zürich in ZH, and most others are in GR: correct/, "warning"],
    ["a zone without a place", add("zones", { id: "post-office", country: "CH", postcodes: ["9999"] }), "post-office", "", /list its places/, "warning"],
    ["a radius of 30 meters", put("zones/zermatt-region/circle/radiusKm", 0.03), "zermatt-region.circle.radiusKm", "0.03", /correct/, "warning"],
    ["a canton by its name", add("zones", { id: "home", cantons: ["Graubünden"] }), "home.cantons.0", "Graubünden", /^unknown canton .*; did you mean GR\?/, "mistake"],
    ["a canton that there is not", add("zones", { id: "away", cantons: ["XX"] }), "away.cantons.0", "XX", /^unknown canton .*allowed: AG, AI, .*, ZH/, "mistake"],
    ["postcodes of an unknown country", add("zones", { id: "abroad", country: "FL", postcodes: ["9490"] }), "abroad.country", "FL", /^unknown country .*did you mean LI/, "mistake"],
    ["a place of another continent", add("zones", { id: "far", places: ["xanadu-on-sea"] }), "far.places.0", "xanadu-on-sea", /^unknown place .*the command places lists them/, "mistake"],
    ["a misspelled place", put("zones/verbier-valley/places", ["verbir", "le-chable"]), "verbier-valley.places", "verbir", /did you mean verbier/, "mistake"],
    ["postcodes without a country", drop("zones/davos-region/country"), "davos-region", "", /"country": "CH"/, "mistake"],
    ["a country without postcodes", put("zones/verbier-valley/country", "CH"), "verbier-valley", "CH", /Postcodes need the country/, "mistake"],
    ["a radius in meters", put("zones/zermatt-region/circle/radiusKm", 3000), "zermatt-region.circle.radiusKm", "3000", /less than or equal to 200/, "mistake"],
    ["a record to remove that there is not", add("zones", { id: "davos-valey", remove: true }), "davos-valey", "davos-valey", /did you mean davos-valley/, "fault"],
    ["a postcode twice", put("zones/davos-region/postcodes", ["7260", "7270", "7260"]), "davos-region.postcodes", '"7260" twice', /remove one/, "warning"],
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
    ["210 minutes given as 2100", put("corridors/zurich-airport-to-zermatt/durationMinutes", 2_100), "zurich-airport-to-zermatt.durationMinutes", "2100 min", /correct/, "warning"],
    ["a return copied with its ends as they were", ({ corridors: [there, back] }) => Object.assign(back, { origin: there.origin, destination: there.destination }), "lucerne-to-zurich-airport", "zurich-airport-to-lucerne", /correct its ends/, "warning"],
    ["a corridor of another length", both(put("corridors/zurich-airport-to-lucerne/distanceKm", 30), put("corridors/zurich-airport-to-lucerne/durationMinutes", 40)), "zurich-airport-to-lucerne.distanceKm", "30 km", /by the roads: correct/, "warning"],
  ],
  "availability.json": [
    ["a stop-sale of everything for ever", add("stopSales", { id: "all", reason: "On New Year's Eve cars are assigned by phone.", offer: "none" }), "all", "every class", /limit/, "fault"],
    ["a copied stop-sale with another reason", copy("stopSales/new-year", { id: "easter", reason: "The Julier Pass is closed for blasting." }), "easter", "new-year", /the same .*: remove one/, "warning"],
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
    ["a reason that nobody reads", put("rules/at-home/reason", "On New Year's Eve cars are assigned by phone."), "at-home.reason", "On New Year's Eve", /change the offer/, "warning"],
    ["two rules for the same journeys", ({ rules }) => rules.splice(1, 0, { ...rules[0], id: "again" }), "again", "at-home", /same journeys: correct/, "warning"],
  ],
  "roads/own.json": [
    ["a pass at 580 km/h", ({ edges: [albula] }) => Object.assign(albula, { km: 91, minutes: 9.4 }), ".minutes", "9.4 min", /no speed of a car: correct/, "warning"],
    ["a car train in francs", add("edges", { ...islandRoad, from: "tiefencastel", to: "thusis", road: "car_train", carTrain: { loadingMinutes: 5, fareRappen: 38 } }), "tiefencastel thusis.carTrain.fareRappen", "38 Rappen", /in Rappen/, "warning"],
  ],
  "closures.json": [
    ["a misspelled pass", put("closures/julier/road", "Julier Pas"), "julier.road", "Julier Pas", /did you mean Julier Pass/, "mistake"],
    ["a closure that has ended", ({ closures: [julier] }) => Object.assign(julier, { from: "2020-01-12", to: "2020-01-14" }), "julier", "2020-01-14", /has ended on/, "warning"],
    ["a closure that begins ten years too early", put("closures/julier/from", "2016-01-12"), "julier", "2016-01-12", /correct the year/, "warning"],
    ["a closure that ends before it begins", put("closures/julier/to", `${nextYear}-01-02`), "julier", `${nextYear}-01-02`, new RegExp(`on ${nextYear}-01-12: correct`), "mistake"],
  ],
  "policies.json": [
    ["a text with other hours", policyText((text) => text.replace(POLICY_HOURS, "48")), "cancellation.text", "48", /write \{fullRefundCutoffHours\}/, "warning"],
    ["no cancellation policy", drop("policies/cancellation"), "cancellation", "", /missing/, "mistake"],
    ["no hours of free cancellation", drop("policies/cancellation/fullRefundCutoffHours"), "cancellation", "", /needs fullRefundCutoffHours/, "mistake"],
    ["a misspelled placeholder", policyText((text) => text.replace(POLICY_HOURS, "{fullRefundCutofHours}")), "cancellation.text", "{fullRefundCutofHours}", /allowed: .*\{fullRefundCutoffHours\}/, "mistake"],
    ["a part of what is refunded as a whole", put("policies/cancellation/partialRefunds", [{ hours: 24, percent: 50 }]), "cancellation.partialRefunds", "24 h", /: state fewer than 24 hours/, "fault"],
    ["a refund as a fraction", put("policies/cancellation/partialRefunds", [{ hours: 12, percent: 0.5 }]), "cancellation.partialRefunds.0.percent", "0.5 %", /such as 50/, "warning"],
    ["a refund of more than all", put("policies/cancellation/partialRefunds", [{ hours: 12, percent: 150 }]), "cancellation.partialRefunds.0.percent", "150", /less than 100/, "mistake"],
    ["other hours under the same version", put("policies/cancellation/fullRefundCutoffHours", 2), "cancellation.version", "the policy changed", /still 2026-11-01: change it/, "warning"],
    ["a policy in German", put("policies/invoice/text", "Die Preise sind mit Steuer, und die Rechnung wird nach der Fahrt verschickt."), "invoice.text", "Die Preise", /is de: write it in English/, "warning"],
  ],
  "translations.json": [
    ["a translation that lost its placeholder", german((text) => text.replace(POLICY_HOURS, "24")), "cancellation.de", POLICY_HOURS, /add it/, "fault"],
    ["a label without German", drop("texts/Winter surcharge/de"), "de", "Winter surcharge", /not translated/, "warning"],
    ["a client's label without Italian", drop("texts/Agency discount/it"), "it", "Agency discount", /not translated/, "warning"],
    ["other hours in German", put("texts/Open from 06:30 to 22:00", { de: "Offen von 6:30 bis 20:00" }), "de", "20:00", /06:30, 22:00: correct/, "warning"],
    ["German as French", german((text) => text, "fr"), "fr", "Kostenlos", /is de, not fr: translate/, "warning"],
    ["a policy without a translation", inFile("policies.json", policyText(() => NEW_POLICY)), "de", NEW_POLICY, /not translated/, "warning"],
    ["English as German", ({ texts }) => void Object.entries<Fields>(texts).map(([english, each]) => english.includes(POLICY_HOURS) && Object.assign(each, { de: english })), "de", "Free cancellation", /is the English text: translate/, "warning"],
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
    ["a phone number that lost digits", put("phone", "+41 81 410 20"), "phone", "+41 81 410 20", /nine digits after \+41/, "warning"],
    ["a text that is still to come", put("license", "TODO"), "license", "TODO", /write the text/, "warning"],
    ["a VAT number without its country", put("vatNumber", "116.281.710 MWST"), "vatNumber", "116.281.710", /write it as CHE-/, "warning"],
    ["a phone number that lost a digit of its country", put("phone", "+4 81 410 20 30"), "phone", "+4 81 410 20 30", /such as \+41: correct/, "warning"],
    ["a text with a space at its end", put("paymentMethods", "Credit card "), "paymentMethods", "Credit card ", /remove it/, "warning"],
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
  ["vehicle-classes.json", "own rates beside the vehicle classes of the package", both(inFile("tariff.json", drop("rates/van")), (_, files) => void files.delete("vehicle-classes.json")), "", "missing, so that the example", /add your own/, "mistake"],
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
