import type { Request, Response } from "express";
import { pageHeaders } from "../../ops/page-headers.ts";
import type { Operator, Scope } from "../../service/calls/operation.ts";
import type { Consent } from "../../service/calls/token-verifier.ts";
import { escapeHtml, PAGE_SOURCES, page } from "./page.ts";
import { languageOf } from "./request.ts";

interface Words {
  readonly title: string;
  /** After the name of the client. */
  readonly asks: string;
  readonly may: Readonly<Record<Scope, string>>;
  readonly limits: string;
  readonly returns: string;
  readonly allow: string;
  readonly deny: string;
}

const WORDS: Readonly<Record<Operator["languages"][number], Words>> = {
  en: {
    title: "Connect {client}?",
    asks: "asks to do this at {operator}:",
    may: {
      discovery: "connect, and see routes, vehicles and policies",
      "quote:create": "ask for binding prices",
      "quote:read-own": "read the prices that it has asked for",
      "checkout:prepare": "prepare a link with which you can go on to book and pay yourself",
    },
    limits: "It cannot book or pay, and learns nothing about you here.",
    returns: "Continue only if you have just started this yourself at {client}. You return to {target}.",
    allow: "Allow",
    deny: "Cancel",
  },
  de: {
    title: "{client} verbinden?",
    asks: "möchte bei {operator}:",
    may: {
      discovery: "sich verbinden und Strecken, Fahrzeuge und Bedingungen sehen",
      "quote:create": "verbindliche Preise anfragen",
      "quote:read-own": "die selbst angefragten Preise lesen",
      "checkout:prepare": "einen Link vorbereiten, mit dem Sie selbst buchen und bezahlen können",
    },
    limits: "Buchen oder bezahlen ist damit nicht möglich, und über Sie wird hier nichts mitgeteilt.",
    returns:
      "Fahren Sie nur fort, wenn Sie dies soeben selbst bei {client} begonnen haben. Sie kehren zurück zu {target}.",
    allow: "Erlauben",
    deny: "Abbrechen",
  },
  fr: {
    title: "Connecter {client} ?",
    asks: "demande à pouvoir, auprès de {operator} :",
    may: {
      discovery: "se connecter et voir les trajets, les véhicules et les conditions",
      "quote:create": "demander des prix fermes",
      "quote:read-own": "lire les prix demandés",
      "checkout:prepare": "préparer un lien avec lequel vous pouvez réserver et payer vous-même",
    },
    limits: "Cet accès ne permet ni de réserver ni de payer, et rien n’est communiqué ici à votre sujet.",
    returns: "Ne continuez que si vous venez de le demander vous-même dans {client}. Vous reviendrez à {target}.",
    allow: "Autoriser",
    deny: "Annuler",
  },
  it: {
    title: "Collegare {client}?",
    asks: "chiede, presso {operator}, di:",
    may: {
      discovery: "collegarsi e vedere percorsi, veicoli e condizioni",
      "quote:create": "chiedere prezzi vincolanti",
      "quote:read-own": "leggere i prezzi che ha chiesto",
      "checkout:prepare": "preparare un link con cui può prenotare e pagare Lei stesso",
    },
    limits: "Questo accesso non permette di prenotare né di pagare, e qui non viene comunicato nulla su di Lei.",
    returns: "Continui solo se l’ha appena chiesto Lei in {client}. Tornerà a {target}.",
    allow: "Consentire",
    deny: "Annullare",
  },
};

/** Asks the person whether a client may act for them. Works without a script; only an answer can lead to the client. */
export function sendConsentPage(consent: Consent, operator: Operator, request: Request, response: Response): void {
  const { client, returnsTo, scopes } = consent;
  const language = languageOf(request, operator.languages);
  const words = WORDS[language];
  const values: Readonly<Record<string, string>> = { client, operator: operator.name, target: returnsTo };
  const say = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const html = (text: string) => escapeHtml(say(text));
  const rights = scopes.map((scope) => `<li>${escapeHtml(words.may[scope as Scope] ?? scope)}</li>`).join("");
  const body = `<p><strong>${escapeHtml(client)}</strong> ${html(words.asks)}</p><ul>${rights}</ul><p>${html(words.limits)} ${html(words.returns)}</p>
<form method="post"><p><button class="button" name="answer" value="allow">${words.allow}</button>
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
