import { isPackaged } from "../../domain/catalog/read-contents.ts";
import { NOT_OWN } from "../../domain/catalog/references.ts";
import { type Audited, always, type Check, fault, repeated, warning } from "./catalog-check.ts";

const OPERATOR = "operator.json";
const CLASSES = "vehicle-classes.json";

/** Files without which a folder would sell another company's prices, in its name. */
const EVERY_OPERATORS_OWN = ["operator.json", "tariff.json", "vehicle-classes.json"];

/** How texts of the packaged operator look, which every operator replaces. */
const PLACEHOLDER = /^example\b|^\+41 ?0|\.example(\/|$)|^CHE\W?0{3}\W?0{3}\W?0{3}/i;

/** A Swiss number has nine digits after +41. */
const SWISS_PHONE = /^\+41( *\d){9}$/;

/** No country's code begins with 0, and those of one digit are 1 and 7. */
const NO_COUNTRY = /^\+(0|[2-689] )/;

/** A Swiss UID, with the ending of a VAT number. */
const UID = /^CHE\W?(\d{3})\W?(\d{3})\W?(\d{3})(?!\d)/i;

/** Background of light pages, from which the operator's color has to stand out. */
const GROUND = "#f3f5f6";
const LEAST_CONTRAST = 4.5;

/** What can be wrong with what every operator states about itself and its vehicles. */
// biome-ignore format: a table reads by its columns
export const ofOperator: readonly Check[] = [
  fault(missingFiles, (file) => file, "", always, NOT_OWN),
  warning(placeholders, OPERATOR, "", (fields) => fields.length > 0, (fields) => `placeholders of the example, state your own: ${fields.join(", ")}`),
  warning(({ catalog }) => [catalog.operator], OPERATOR, "phone", ({ phone }) => phone.startsWith("+41") && !SWISS_PHONE.test(phone.trim()), ({ phone }) => `${phone} has not nine digits after +41: correct it`),
  warning(({ catalog }) => [catalog.operator], OPERATOR, "phone", ({ phone }) => NO_COUNTRY.test(phone), ({ phone }) => `${phone} begins with the code of no country, such as +41: correct it`),
  fault(uids, OPERATOR, ([field]) => field, ([, uid]) => UID.test(uid) && !hasRightCheckDigit(uid), ([, uid]) => `${uid} has a wrong check digit`),
  fault(uids, OPERATOR, ([field]) => field, ([, uid]) => !UID.test(uid), ([, uid]) => `${uid} has not nine digits, as in CHE-123.456.789: correct it`),
  warning(({ catalog: { operator } }) => (operator.color === undefined ? [] : [operator.color]), OPERATOR, "color", (color) => contrastOf(color) < LEAST_CONTRAST, (color) => `${color} has a contrast of ${contrastOf(color).toFixed(2)} with the page, at least ${LEAST_CONTRAST} is legible: make it darker`),
  warning(largerBefore, CLASSES, ({ each }) => each.id, always, ({ each, smaller }) => `has ${each.passengerCapacity} seats, but is listed before ${smaller.id} with ${smaller.passengerCapacity}: list the smallest first, or correct the seats`),
  fault(({ catalog }) => catalog.vehicleClasses, CLASSES, ({ id }) => id, ({ largeLuggageCapacity, luggageCapacity }) => largeLuggageCapacity > luggageCapacity, ({ largeLuggageCapacity, luggageCapacity }) => `takes ${largeLuggageCapacity} large pieces, but only ${luggageCapacity} in all`),
  warning(({ catalog }) => catalog.vehicleClasses, CLASSES, ({ id }) => `${id}.smallLuggageCapacity`, ({ smallLuggageCapacity, luggageCapacity }) => smallLuggageCapacity > luggageCapacity, ({ smallLuggageCapacity, luggageCapacity }) => `${smallLuggageCapacity} small pieces, but only ${luggageCapacity} in all: correct one of them`),
  warning(({ catalog }) => catalog.vehicleClasses, CLASSES, ({ id }) => `${id}.smallestParty`, ({ smallestParty = 0, passengerCapacity }) => smallestParty > passengerCapacity, ({ smallestParty, passengerCapacity }) => `${smallestParty} is more than its ${passengerCapacity} seats, so that nobody is offered it: lower it`),
  warning(({ catalog }) => repeated(catalog.vehicleClasses, ({ type }) => type), CLASSES, ({ each }) => `${each.id}.type`, always, ({ each, earlier }) => `"${each.type}" is what ${earlier.id} is called: correct one of them`),
];

function missingFiles({ catalog: { folder, sources } }: Audited): readonly string[] {
  return isPackaged(folder) ? [] : EVERY_OPERATORS_OWN.filter((file) => sources.get(file) === "packaged");
}

function placeholders({ catalog: { operator } }: Audited): readonly (readonly string[])[] {
  return [
    Object.entries(operator).flatMap(([field, text]) => (PLACEHOLDER.test(String(text)) ? `${field} ${text}` : [])),
  ];
}

function uids({ catalog: { operator } }: Audited) {
  const { vatNumber = "", registerNumber = "" } = operator;
  return Object.entries({ vatNumber, registerNumber }).filter(([, text]) => /^CHE/i.test(text));
}

/** In a Swiss UID the sum of the weighted digits and the check digit is a multiple of 11. */
function hasRightCheckDigit(uid: string): boolean {
  const digits = UID.exec(uid)?.slice(1).join("") ?? "";
  const weights = [5, 4, 3, 2, 7, 6, 5, 4, 1];
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index] ?? 0), 0) % 11 === 0;
}

/** The contrast ratio of a color with light pages, as WCAG 2.2 defines it. */
function contrastOf(color: string): number {
  return (luminanceOf(GROUND) + 0.05) / (luminanceOf(color) + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Each class before one that has less than two thirds of its seats. */
function largerBefore({ catalog: { vehicleClasses } }: Audited) {
  return vehicleClasses.flatMap((each, index) => {
    const [smaller] = vehicleClasses
      .slice(index + 1)
      .filter(({ passengerCapacity }) => passengerCapacity * 1.5 < each.passengerCapacity);
    return smaller ? [{ each, smaller }] : [];
  });
}
