import { documentBody, escapeHtml, page, table } from "../src/http/page.ts";
import type { ApiSite } from "./openapi.ts";

/** What the service keeps of a caller and a traveler: the data, where, and for how long. */
export const KEPT_DATA = [
  [
    "Quotes: places and stop names as the agent sent them, times, party, luggage, prices, the subject of the access token",
    "the quote store",
    "24 hours past the quote's expiry",
  ],
  ["Answers under an idempotency key, with digests of key, subject and arguments", "the quote store", "24 hours"],
  ["Rate limits: the subject or network address, with a count", "memory or Redis", "5 minutes at most"],
  [
    "Log lines: time, operation, outcome, the client's name and a keyed hash of the subject; no places, tokens or links",
    "the operator's logs",
    "as long as the operator keeps its logs",
  ],
  [
    "Sales figures: place or corridor ids, kilometers, vehicle class, total and outcome; nothing about the traveler",
    "the quote store",
    "400 days, or as the operator has set",
  ],
] as const;

/** What an agent or a person may ask of the operator, and where the answer is found without asking. */
const QUESTIONS = [
  [
    "A call fails",
    'The problem\'s code has a page under <a href="/docs/errors">Errors</a>. Give its request_id when you ask.',
  ],
  [
    "A host does not connect",
    'The 401 answer names the authorization server; <a href="/llms.txt">llms.txt</a> has the addresses.',
  ],
  [
    "A checkout link shows no offer",
    "Links expire 30 minutes after the quote was issued. Ask your assistant for a new one.",
  ],
  [
    "A booking, payment, refund or lost property",
    "Ask the operator. This service takes no payments and stores no bookings.",
  ],
] as const;

/** `/privacy`: what is kept, for directories that list the service and for those who use it. */
export function privacyPage(site: ApiSite): string {
  return page({
    title: "Privacy",
    body: documentBody("Privacy", [
      `<p>This service prices journeys for AI agents. It asks for places, times and the size of a party. It does not ask
       for names, phone numbers or payment data, and its pages load nothing from other servers.</p>`,
      `<h2>What is kept</h2>${table(
        ["Data", "Where", "How long"],
        KEPT_DATA.map((row) => row.map(escapeHtml)),
      )}`,
      `<h2>Who receives it</h2><p>Where the operator has configured a geocoder or a routing engine, it receives the texts
       and positions of a journey and nothing about the caller. What your assistant and its provider keep of the
       conversation is governed by their terms.</p>`,
      `<h2>Who is responsible</h2>${contact(site)}`,
    ]),
  });
}

/** `/support`: whom to ask about what. */
export function supportPage(site: ApiSite): string {
  const rows = QUESTIONS.map(([question, answer]) => [escapeHtml(question), answer]);
  return page({
    title: "Support",
    body: documentBody("Support", [contact(site), `<h2>Before you ask</h2>${table(["About", "Answer"], rows)}`]),
  });
}

function contact({ operator }: ApiSite): string {
  const { name, email, phone, website, termsUrl } = operator;
  const lines = [
    `<a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a>`,
    phone && `<a href="tel:${escapeHtml(phone.replaceAll(" ", ""))}">${escapeHtml(phone)}</a>`,
    website && `<a href="${escapeHtml(website)}">${escapeHtml(website)}</a>`,
    termsUrl && `<a href="${escapeHtml(termsUrl)}">Terms</a>`,
  ];
  return `<p>${escapeHtml(name)}, ${lines.filter(Boolean).join(", ")}</p>`;
}
