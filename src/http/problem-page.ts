import type { Response } from "express";
import type { Problem } from "../contract/problem.ts";
import { documentBody, escapeHtml, page } from "./page.ts";

/** The problem as a page, for a person who opened an address that does not exist or cannot be shown. */
export function sendProblemPage(response: Response, problem: Problem): void {
  const { status, detail, next_action, request_id } = problem;
  const title = status === 404 ? "Page not found" : problem.title;
  const lines = [detail, next_action ?? "", `Request ${request_id}`].filter(Boolean);
  const text = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("");
  response.status(status).type("html");
  response.send(page({ title, body: documentBody(title, [text]) }));
}
