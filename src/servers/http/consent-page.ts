import type { Request, Response } from "express";
import { pageHeaders } from "../../ops/page-headers.ts";
import type { Operator, Scope } from "../../service/calls/operation.ts";
import type { Consent } from "../../service/calls/token-verifier.ts";
import { imprint } from "./imprint.ts";
import { escapeHtml, PAGE_SOURCES, page } from "./page.ts";

const MAY: Readonly<Record<Scope, string>> = {
  discovery: "connect, and see routes, vehicles and policies",
  "quote:create": "ask for binding prices",
  "quote:read-own": "read the prices that it has asked for",
  "checkout:prepare": "prepare a link with which you can go on to book and pay yourself",
};

/** Asks the person whether a client may act for them. Works without a script; only an answer can lead to the client. */
export function sendConsentPage(consent: Consent, operator: Operator, request: Request, response: Response): void {
  const { client, returnsTo, scopes } = consent;
  const rights = scopes.map((scope) => `<li>${escapeHtml(MAY[scope as Scope] ?? scope)}</li>`).join("");
  const body = `<p><strong>${escapeHtml(client)}</strong> asks to do this at ${escapeHtml(operator.name)}:</p>
<ul>${rights}</ul>
<p>It cannot book or pay, and learns nothing about you here. Continue only if you have just started this yourself at
${escapeHtml(client)}. You return to ${escapeHtml(returnsTo)}.</p>
<form method="post"><p><button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Cancel</button></p></form>`;
  const title = `Connect ${client}?`;
  // Browsers apply the rule to the redirect that follows a form, too. No source can name an IPv6 address, nor a host with
  // characters that mean something in a policy.
  const target = /^https:\/\/[\w.:-]+$/.test(returnsTo) ? returnsTo : new URL(returnsTo).protocol;
  pageHeaders(PAGE_SOURCES, `'self' ${target}`)(request, response, () => {
    response
      .type("html")
      .send(page({ title, brand: operator.name, nav: "", body: [body], foot: imprint(operator, "en") }));
  });
}
