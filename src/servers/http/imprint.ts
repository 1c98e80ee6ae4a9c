import type { Operator } from "../../service/calls/operation.ts";
import { escapeHtml } from "./page.ts";

/** How the languages of travelers are called in themselves. */
const LANGUAGES = { en: "English", de: "Deutsch", fr: "français", it: "italiano" };

const WORDS: Readonly<Record<string, Readonly<Record<"register" | "vat" | "terms" | "privacy" | "support", string>>>> =
  {
    en: { register: "Register", vat: "VAT", terms: "Terms and conditions", privacy: "Privacy", support: "Support" },
    de: {
      register: "Handelsregister",
      vat: "MWST",
      terms: "Allgemeine Geschäftsbedingungen",
      privacy: "Datenschutz",
      support: "Hilfe",
    },
    fr: {
      register: "Registre du commerce",
      vat: "TVA",
      terms: "Conditions générales",
      privacy: "Protection des données",
      support: "Aide",
    },
    it: {
      register: "Registro di commercio",
      vat: "IVA",
      terms: "Condizioni generali",
      privacy: "Protezione dei dati",
      support: "Assistenza",
    },
  };

/** Of a Swiss VAT number, which each language writes in its own way. */
const VAT_SUFFIX = /\s*(MWST|TVA|IVA|VAT)$/i;

/** The foot of every page for travelers, in HTML: who the operator is, how to reach it, and its other pages. */
export function imprint(operator: Operator, language: string): string {
  const { name, postalAddress, phone, email, website, registerNumber, vatNumber, license, termsUrl } = operator;
  const words = WORDS[language] ?? WORDS.en;
  if (!words) return "";
  const vat = vatNumber?.replace(VAT_SUFFIX, "");
  // A company has one number for both.
  const numbers = [
    registerNumber && `${words.register} ${registerNumber}${vat === registerNumber ? `, ${words.vat}` : ""}`,
    vat && vat !== registerNumber && `${vat} ${words.vat}`,
  ];
  const lines = [
    [name, postalAddress]
      .filter(Boolean)
      .map((text) => escapeHtml(String(text)))
      .join(", "),
    [
      link(`tel:${phone.replaceAll(" ", "")}`, phone),
      link(`mailto:${email}`, email),
      website && link(website, website.replace(/^https:\/\//, "")),
    ],
    [...numbers, license].flatMap((text) => (text ? `<span class="number">${escapeHtml(text)}</span>` : [])).join(", "),
    [
      link(`/privacy?lang=${language}`, words.privacy),
      link(`/support?lang=${language}`, words.support),
      termsUrl && link(termsUrl, words.terms),
    ],
  ];
  const html = lines.map((line) => {
    const text = typeof line === "string" ? line : line.filter(Boolean).join(" ");
    return text && `<p${typeof line === "string" ? "" : ' class="contact"'}>${text}</p>`;
  });
  return `<footer id="imprint">${html.join("")}</footer>`;
}

function link(address: string, text: string): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
}

/**
 * Links to a page in each language of the operator, of which the current one is marked; none where it has one alone.
 * `query` is the rest of its address.
 */
export function languageLinks(
  { languages }: Operator,
  current: string,
  query: Readonly<Record<string, string>> = {},
): string {
  if (languages.length === 1) return "";
  const links = languages.map((each) => {
    const address = `?${new URLSearchParams({ ...query, lang: each })}`;
    const mark = each === current ? ' aria-current="true"' : "";
    const short = each.toUpperCase();
    return `<a href="${escapeHtml(address)}" lang="${each}" hreflang="${each}" aria-label="${short}, ${LANGUAGES[each]}"${mark}>${short}</a>`;
  });
  return links.join(" ");
}
