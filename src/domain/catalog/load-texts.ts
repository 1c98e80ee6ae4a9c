import type { Catalog } from "./catalog.ts";
import type { CatalogFolder } from "./catalog-folder.ts";
import type { Requirements } from "./catalog-schema.ts";
import { fault } from "./finding.ts";
import { fieldOf } from "./schema-mistakes.ts";
import type { Tariff } from "./tariff-schema.ts";
import type { Translations } from "./translations-schema.ts";

export function readPolicies(folder: CatalogFolder, tariff: Tariff): Pick<Catalog, "policies" | "policyTemplates"> {
  const { policies } = folder.read("policies");
  const policyTemplates = new Map<string, string>();
  const filled = policies.map((policy) => {
    const text = fillNumbers(folder, ["policies.json", `${policy.key}.text`], { ...tariff, ...policy })(policy.text);
    policyTemplates.set(text, policy.text);
    return { ...policy, text };
  });
  return { policies: filled, policyTemplates };
}

export function readRequirements(folder: CatalogFolder, tariff: Tariff): Requirements {
  const requirements = folder.read("requirements");
  return { ...requirements, notes: fillNumbers(folder, ["requirements.json", "notes"], tariff)(requirements.notes) };
}

/** Translations by English text; the numbers of policies are filled into both. */
export function readTranslations(
  folder: CatalogFolder,
  tariff: Tariff,
): Pick<Catalog, "translations" | "ownTranslations"> {
  const { policies } = folder.read("policies");
  const { texts } = folder.readIfPresent("translations", { texts: {} });
  const isMerged = folder.sources.get(TRANSLATIONS) !== "own";
  const own = isMerged ? (folder.ownRecords.get(TRANSLATIONS) ?? new Set()) : undefined;
  const ownTranslations = new Set<string>();
  const entries = Object.entries(texts).map(([english, translated]) => {
    const entry = filledIn(english, translated);
    if (!own || own.has(english)) ownTranslations.add(entry[0]);
    return entry;
  });
  return { translations: Object.fromEntries(entries), ownTranslations };

  function filledIn(english: string, translated: Translations[string]): readonly [string, Translations[string]] {
    const policy = policies.find(({ text }) => text === english);
    if (!policy) return [english, translated];
    const fill = fillNumbers(folder, [TRANSLATIONS, policy.key], { ...tariff, ...policy });
    for (const [language, text] of Object.entries(translated)) checkPlaceholders(policy.key, language, english, text);
    const filled = Object.entries(translated).map(([language, text]) => [language, fill(text)]);
    return [fill(english), Object.fromEntries(filled)];
  }

  function checkPlaceholders(key: string, language: string, english: string, text: string): void {
    const lost = placeholdersIn(english).filter((each) => !placeholdersIn(text).includes(each));
    for (const each of lost)
      folder.faults.push(
        fault(TRANSLATIONS, `${key}.${language}`, `lacks ${each}, which the English text has: add it`),
      );
  }
}

function placeholdersIn(text: string): readonly string[] {
  return text.match(/\{[^{}]*\}/g) ?? [];
}

const TRANSLATIONS = "translations.json";

/** Replaces placeholders such as `{waiting.freeMinutes}` by numbers, and reports any other at the place of the text. */
function fillNumbers(folder: CatalogFolder, [file, path]: readonly [string, string], numbers: object) {
  return (text: string) =>
    text.replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
      const number = name.split(".").reduce<unknown>(fieldOf, numbers);
      if (typeof number === "number") return String(number);
      folder.reportUnknown(file, path, "placeholder", placeholder, placeholdersOf(numbers));
      return placeholder;
    });
}

/** A placeholder for each number in it. */
function placeholdersOf(parent: object, path: readonly string[] = []): readonly string[] {
  return Object.entries(parent).flatMap(([key, value]) => {
    const at = [...path, key];
    if (typeof value === "object" && value !== null) return placeholdersOf(value, at);
    return typeof value === "number" ? [`{${at.join(".")}}`] : [];
  });
}
