import type { Request, Response } from "express";
import { pageHeaders } from "../../ops/page-headers.ts";
import type { Operator, Scope } from "../../service/calls/operation.ts";
import type { Consent } from "../../service/calls/token-verifier.ts";
import { escapeHtml, PAGE_SOURCES, page } from "./page.ts";
import WORDS from "./page-words.json" with { type: "json" };
import { languageOf } from "./request.ts";

/** Asks the person whether a client may act for them. Works without a script; only an answer can lead to the client. */
export function sendConsentPage(
  consent: Consent,
  operatorIn: (language?: string) => Operator,
  request: Request,
  response: Response,
): void {
  const { client, returnsTo, scopes } = consent;
  const language = languageOf(request, operatorIn().languages);
  const operator = operatorIn(language);
  const words = WORDS[language].consent;
  const values: Readonly<Record<string, string>> = { client, operator: operator.name, target: returnsTo };
  const say = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const html = (text: string) => escapeHtml(say(text));
  const rights = scopes.map((scope) => `<li>${escapeHtml(words.may[scope as Scope] ?? scope)}</li>`).join("");
  const body = `<p><strong>${escapeHtml(client)}</strong> ${html(words.asks)}</p><ul>${rights}</ul><p>${html(words.limits)} ${html(words.returns)}</p>
<form method="post"><p class="buttons"><button class="button" name="answer" value="allow">${words.allow}</button>
<button name="answer" value="deny">${words.deny}</button></p></form>`;
  // Browsers apply the rule to the redirect that follows a form, too. No source can name an IPv6 address, nor a host with
  // characters that mean something in a policy.
  const target = /^https:\/\/[\w.:-]+$/.test(returnsTo) ? returnsTo : new URL(returnsTo).protocol;
  pageHeaders(PAGE_SOURCES, `'self' ${target}`)(request, response, () => {
    response
      .vary("Accept-Language")
      .type("html")
      .send(page({ title: say(words.title), operator, language, nav: "", body: [body] }));
  });
}
