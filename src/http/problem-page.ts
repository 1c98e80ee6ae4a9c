import type { Response } from "express";
import type { Problem } from "../contract/problem.ts";
import { documentBody, escapeHtml, page } from "./page.ts";

/** The problem as a page, for a person who opened an address that does not exist or cannot be shown; `brand` is the operator's name. */
export function sendProblemPage(response: Response, problem: Problem, brand: string): void {
  const { status, detail, next_action, request_id } = problem;
  const title = status === 404 ? "Page not found" : problem.title;
  const lines = [detail, next_action ?? "", `Request ${request_id}`].filter(Boolean);
  const text = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  response.status(status).type("html");
  response.send(page({ title, brand, body: documentBody(title, [text]) }));
}
