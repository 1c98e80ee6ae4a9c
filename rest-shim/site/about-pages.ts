import { escapeHtml, languageLinks, link, page, table } from "../../src/servers/http/page.ts";
import type { Operator } from "../../src/service/calls/operation.ts";
import type { ApiSite } from "../openapi.ts";
import { filled } from "../parameters.ts";
import about from "./about-words.json" with { type: "json" };

/** Languages of the pages for travelers; about-words.json has every text in each. */
export type PageLanguage = Operator["languages"][number];

/** What the pages for travelers say of this server. */
export interface Site extends ApiSite {
  readonly operator: Operator;
  /** The operator, its texts for travelers in a language. */
  readonly operatorIn: (language: PageLanguage) => Operator;
  /** How many days sales are kept; 0: as long as the quotes. */
  readonly ledgerDays: number;
  /** Other systems that receive data, where they are configured. */
  readonly recipients: readonly Recipient[];
}

type Recipient = "geocoder" | "router" | "events" | "checkout";

/** Data that the service keeps about callers and travelers, in a language, in HTML: what, where and for how long. */
function keptData(language: PageLanguage, ledgerDays: number): readonly string[][] {
  // Sales that are not kept on their own are deleted with their quotes, about a day after these.
  const days = { salesDays: Math.max(ledgerDays, 2) };
  return about.kept.map(({ what, where, how_long }) =>
    [what, where, how_long].map((cell) => escapeHtml(filled(cell[language], days))),
  );
}

/** `/privacy`: why which data are kept, for travelers and for directories that list the service. */
export function privacyPage(site: Site, language: PageLanguage): string {
  const { say, table, document } = inLanguage(language);
  const operator = site.operatorIn(language);
  const { name, privacyUrl } = operator;
  const policy =
    privacyUrl && `<p>${link(privacyUrl, filled(about.words.own_policy[language], { operator: name }))}</p>`;
  const recipients = site.recipients.map((each) => say(`to_${each}`));
  const receivers = [say("to_operator", { operator: name }), ...recipients, say("to_nobody")];
  const reasons = [
    [say("why_offer"), say("basis_offer")],
    [say("why_safe"), say("basis_safe")],
  ];
  return document("privacy", operator, [
    `<p>${say("intro")}</p>`,
    `<h2>${say("why")}</h2>${table(["purpose", "basis"], reasons)}`,
    `<h2>${say("kept")}</h2>${table(["data", "where", "how_long"], keptData(language, site.ledgerDays))}`,
    `<h2>${say("who")}</h2><ul>${receivers.map((text) => `<li>${text}</li>`).join("")}</ul>`,
    `<h2>${say("rights")}</h2><p>${say("rights_list")}</p><p>${say("rights_complaint")}</p>`,
    `<h2>${say("responsible")}</h2>${contact(operator, language)}${policy ?? ""}`,
  ]);
}

/** `/support`: whom to ask about what. */
export function supportPage(site: Site, language: PageLanguage): string {
  const { say, table, document } = inLanguage(language);
  const operator = site.operatorIn(language);
  const values = { operator: operator.name };
  const rows = (["reference", "link", "booking", "call", "host"] as const).map((each) => [
    say(`${each}_question`),
    say(`${each}_answer`, values),
  ]);
  return document("support", operator, [
    contact(operator, language),
    `<h2>${say("before")}</h2>${table(["about", "answer"], rows)}`,
  ]);
}

type Word = keyof typeof about.words;

/** What writes a page in one language; the texts are HTML. */
function inLanguage(language: PageLanguage) {
  const say = (key: Word, values: Readonly<Record<string, string>> = {}) =>
    escapeHtml(filled(about.words[key][language], values));
  return {
    say,
    table: (head: readonly Word[], rows: readonly (readonly string[])[]) =>
      table(
        head.map((key) => say(key)),
        rows,
      ),
    document(key: "privacy" | "support", operator: Operator, sections: readonly string[]) {
      const title = about.words[key][language];
      const description = about.words.intro[language];
      const links = languageLinks(operator, language);
      const nav = links && `<nav class="languages" aria-label="${say("languages")}">${links}</nav>`;
      return page({ title, operator, language, nav, description, body: sections });
    },
  };
}

/** How to reach the operator, and when; the imprint has the rest. */
function contact({ name, email, phone, phoneHours, paymentMethods }: Operator, language: PageLanguage): string {
  const { say } = inLanguage(language);
  const labeled = (term: "phone_hours" | "payment_methods", text: string) =>
    `<p>${say("labeled", { term: about.words[term][language], text })}</p>`;
  return [
    `<p>${escapeHtml(name)}</p><p class="contact">${link(`tel:${phone.replaceAll(" ", "")}`, phone)}`,
    ` ${link(`mailto:${email}`, email)}</p>`,
    phoneHours ? labeled("phone_hours", phoneHours) : "",
    paymentMethods ? labeled("payment_methods", paymentMethods) : "",
  ].join("");
}
