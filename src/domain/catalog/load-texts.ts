import { isCancellation, type PolicyRecord } from "./catalog-schema.ts";
import type { Findings } from "./finding.ts";
import { type Translations, translatedInto } from "./operator-schema.ts";
import { type CatalogContents, contentOf } from "./read-contents.ts";
import { fieldOf } from "./schema-mistakes.ts";

const PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * The texts with the numbers that their placeholders name; a translation of a policy with those of the policy, and of all
 * translations those into languages that the operator offers.
 */
export function filledTexts(contents: CatalogContents) {
  const { policies } = contentOf(contents, "policies");
  const requirements = contentOf(contents, "requirements");
  const hours = cancellationIn(contents)?.fullRefundCutoffHours ?? 0;
  const fill = (text: string, policy?: PolicyRecord) => filled(text, numbersOf(contents, policy));
  const byText = new Map(policies.map((policy) => [policy.text, policy]));
  const offered = translatedInto(contentOf(contents, "operator"));
  const translations = Object.entries(contentOf(contents, "translations").texts).map(([english, translated]) => {
    const policy = byText.get(english);
    const fillOwn = (text: string) => (policy ? fill(text, policy) : text);
    const texts = offered.flatMap((each) => (translated[each] ? [[each, fillOwn(translated[each])]] : []));
    return [fillOwn(english), Object.fromEntries(texts) as Translations[string]] as const;
  });
  return {
    policies: policies.map(({ fullRefundCutoffHours = hours, ...policy }) => {
      return { ...policy, fullRefundCutoffHours, text: fill(policy.text, policy) };
    }),
    requirements: { ...requirements, notes: fill(requirements.notes) },
    translations: Object.fromEntries(translations),
  };
}

function cancellationIn(contents: CatalogContents): PolicyRecord | undefined {
  return contentOf(contents, "policies").policies.find(isCancellation);
}

/** What placeholders name: numbers of the tariff and of the policy, and where it states none those of free cancellation. */
function numbersOf(contents: CatalogContents, policy?: PolicyRecord): object {
  return { ...contentOf(contents, "tariff"), ...cancellationIn(contents), ...policy };
}

/** The text with numbers in place of placeholders such as `{waiting.freeMinutes}`; others stay. */
function filled(text: string, numbers: object): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => String(numberAt(name, numbers) ?? placeholder));
}

function numberAt(name: string, numbers: object): number | undefined {
  const value = name.split(".").reduce<unknown>(fieldOf, numbers);
  return typeof value === "number" ? value : undefined;
}

/** Placeholders that name no number, and those that a translation of a policy lacks. */
export function checkPlaceholders(contents: CatalogContents, { mistake, fault }: Findings): void {
  const { texts } = contentOf(contents, "translations");
  const check = (file: string, path: string, text: string, policy?: PolicyRecord) => {
    for (const unknown of filled(text, numbersOf(contents, policy)).match(PLACEHOLDER) ?? [])
      mistake(file, path, `unknown placeholder ${unknown}; allowed: ${NUMBERS}`);
  };
  check("requirements.json", "notes", contentOf(contents, "requirements").notes);
  for (const policy of contentOf(contents, "policies").policies) {
    check("policies.json", `${policy.key}.text`, policy.text, policy);
    for (const [language, text] of Object.entries(texts[policy.text] ?? {})) {
      check(TRANSLATIONS, policy.key, text, policy);
      for (const each of policy.text.match(PLACEHOLDER) ?? [])
        if (text && !text.includes(each))
          fault(TRANSLATIONS, `${policy.key}.${language}`, `lacks ${each}, which the English text has: add it`);
    }
  }
}

const TRANSLATIONS = "translations.json";
const NUMBERS =
  "numbers of tariff.json, such as {waiting.freeMinutes}, and of the policy, such as {fullRefundCutoffHours}";
