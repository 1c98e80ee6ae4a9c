import type { Request, Response } from "express";
import type { Problem } from "../../contract/problem.ts";
import type { Operator } from "../../service/calls/operation.ts";
import { imprint } from "./imprint.ts";
import { escapeHtml, page } from "./page.ts";
import { languageOf } from "./request.ts";

/** For travelers whose link was cut or mistyped: the heading, and what to do. */
const NOT_FOUND: Readonly<Record<string, readonly [title: string, text: string]>> = {
  en: [
    "Page not found",
    "Looking for your offer? Open the whole link that your assistant gave you, or ask it to send the link again. Nothing was booked or charged.",
  ],
  de: [
    "Seite nicht gefunden",
    "Suchen Sie Ihr Angebot? Öffnen Sie den ganzen Link, den Ihr Assistent Ihnen gegeben hat, oder lassen Sie ihn sich nochmals senden. Es wurde nichts gebucht oder belastet.",
  ],
  fr: [
    "Page introuvable",
    "Vous cherchez votre offre ? Ouvrez le lien entier que votre assistant vous a donné, ou demandez-lui de le renvoyer. Rien n’a été réservé ni débité.",
  ],
  it: [
    "Pagina non trovata",
    "Cerca la sua offerta? Apra per intero il link che il suo assistente le ha dato, o gli chieda di inviarlo di nuovo. Nulla è stato prenotato o addebitato.",
  ],
};

/** Sends a problem as a page, for people who open an unknown path or meet an error. Below it stands whom they can ask. */
export function sendProblemPage(request: Request, response: Response, problem: Problem, operator: Operator): void {
  const { status, detail, next_action, request_id } = problem;
  const isUnknown = status === 404;
  const language = isUnknown ? languageOf(request, Object.keys(NOT_FOUND)) : "en";
  const [heading, text] = NOT_FOUND[language] ?? [];
  const title = isUnknown && heading ? heading : problem.title;
  const said = isUnknown && text ? [text] : [detail, next_action ?? ""].filter(Boolean);
  const developers = isUnknown ? `<a href="/docs" lang="en">API reference</a>, ` : "";
  const body = `${said.map((each) => `<p>${escapeHtml(each)}</p>`).join("")}<p>${developers}${escapeHtml(request_id ?? "")}</p>`;
  response.vary("Accept-Language");
  response.status(status).type("html");
  response.send(page({ title, language, brand: operator.name, body: [body], foot: imprint(operator, language) }));
}
