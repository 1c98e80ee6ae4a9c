import type { Request, Response } from "express";
import type { Problem } from "../../contract/problem.ts";
import type { Operator } from "../../service/calls/operation.ts";
import { escapeHtml, page } from "./page.ts";
import { languageOf } from "./request.ts";

/** Whom the page names. */
export type Contact = Pick<Operator, "name" | "phone" | "email">;

/** For travelers whose link was cut or mistyped: the heading, what to do, and the word before the contact. */
const NOT_FOUND: Readonly<Record<string, readonly [title: string, text: string, questions: string]>> = {
  en: [
    "Page not found",
    "Looking for your offer? Open the whole link that your assistant gave you, or ask it to send the link again. Nothing was booked or charged.",
    "Questions:",
  ],
  de: [
    "Seite nicht gefunden",
    "Suchen Sie Ihr Angebot? Öffnen Sie den ganzen Link, den Ihr Assistent Ihnen gegeben hat, oder lassen Sie ihn sich nochmals senden. Es wurde nichts gebucht oder belastet.",
    "Fragen:",
  ],
  fr: [
    "Page introuvable",
    "Vous cherchez votre offre ? Ouvrez le lien entier que votre assistant vous a donné, ou demandez-lui de le renvoyer. Rien n’a été réservé ni débité.",
    "Questions :",
  ],
  it: [
    "Pagina non trovata",
    "Cerca la sua offerta? Apra per intero il link che il suo assistente le ha dato, o gli chieda di inviarlo di nuovo. Nulla è stato prenotato o addebitato.",
    "Domande:",
  ],
};

/** Sends a problem as a page, for people who open an unknown path or meet an error, with whom they can ask. */
export function sendProblemPage(request: Request, response: Response, problem: Problem, operator: Contact): void {
  const { status, detail, next_action, request_id } = problem;
  const isUnknown = status === 404;
  const language = isUnknown ? languageOf(request, Object.keys(NOT_FOUND)) : "en";
  const [heading, text, questions] = NOT_FOUND[language] ?? [];
  const title = isUnknown && heading ? heading : problem.title;
  const said = isUnknown && text ? [text] : [detail, next_action ?? ""].filter(Boolean);
  const developers = isUnknown ? `<a href="/docs" lang="en">API reference</a>, ` : "";
  const body = `${said.map((each) => `<p>${escapeHtml(each)}</p>`).join("")}<p>${questions} ${contactOf(operator)}</p>
<p>${developers}${escapeHtml(request_id ?? "")}</p>`;
  response.vary("Accept-Language");
  response.status(status).type("html");
  response.send(page({ title, language, brand: operator.name, body: [body] }));
}

function contactOf({ name, phone, email }: Contact): string {
  const [shown, dialed, address] = [phone, phone.replaceAll(" ", ""), email].map(escapeHtml);
  return `${escapeHtml(name)}, <a href="tel:${dialed}">${shown}</a>, <a href="mailto:${address}">${address}</a>`;
}
