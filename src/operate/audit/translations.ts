import type { Catalog } from "../../domain/catalog/catalog.ts";
import { warning } from "../../domain/catalog/finding.ts";
import { LANGUAGES } from "../../domain/catalog/translations-schema.ts";
import type { Audited, Found } from "./audit.ts";

const FILE = "translations.json";

/** Translations of texts that are not in the catalog, and texts that a language in use does not translate. */
export function auditTranslations({ catalog, all = false }: Audited): Found {
  const { translations, ownTranslations, policyTemplates } = catalog;
  const asWritten = (text: string) => policyTemplates.get(text) ?? text;
  const prose = proseOf(catalog);
  const texts = new Set([...prose, ...namesOf(catalog)]);
  const unused = [...ownTranslations].filter((english) => !texts.has(english));
  const used = LANGUAGES.filter((language) => Object.values(translations).some((each) => each[language]));
  return [
    unused.length > 0 && warning(FILE, "texts", `no text of the catalog: ${listed(unused, all)}`),
    ...used.map((language) => {
      const missing = prose.filter((english) => !translations[english]?.[language]).map(asWritten);
      return missing.length > 0 && warning(FILE, language, `not translated: ${listed(missing, all)}`);
    }),
  ];
}

/** Texts that travelers read in English where there is no translation. */
function proseOf(catalog: Catalog): readonly string[] {
  const { vehicleClasses, luggage, policies, tariff, places, operator, ...offers } = catalog;
  const all = [
    ...vehicleClasses.map(({ type }) => type),
    ...luggage.specialItems.flatMap(({ one, many, text }) => [one, many, text]),
    ...policies.map(({ text }) => text),
    ...tariff.holidays.days.map(({ name }) => name),
    ...places.map(({ carFree }) => carFree?.onward),
    ...[...offers.fares, ...offers.seasons, ...offers.placeFees].map(({ label }) => label),
    ...Object.values({ ...operator.meetingPoints, ...operator.corridorTexts }),
    ...[operator.license, operator.phoneHours, operator.paymentMethods],
    ...[...offers.stopSales, ...offers.closures, ...offers.serviceRules].map(({ reason }) => reason),
  ];
  return [...new Set(all)].filter((text) => text !== undefined);
}

/** Names need no translation. */
function namesOf({ places, roads }: Catalog): readonly string[] {
  return [...places, ...roads.edges].map(({ name }) => name).filter((name) => name !== undefined);
}

/** The first three, each shortened, or all of them. */
function listed(texts: readonly string[], all: boolean): string {
  if (all) return texts.map((text) => `"${text}"`).join(", ");
  const first = texts.slice(0, 3).map((text) => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`);
  return first.join(", ") + (texts.length > 3 ? ` and ${texts.length - 3} more, which --all lists` : "");
}
