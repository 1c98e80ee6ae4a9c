import type { Response } from "express";
import type { Problem } from "../../contract/problem.ts";
import type { Operator } from "../../service/calls/operation.ts";
import { imprint } from "./imprint.ts";
import { escapeHtml, page } from "./page.ts";

/** For travelers whose link was cut or mistyped. */
const NOT_FOUND =
  "Looking for your offer? Open the whole link that your assistant gave you, or ask it to send the link again. " +
  "Nothing was booked or charged.";

/** Sends a problem as a page, for people who open an unknown path or meet an error. Below it stands whom they can ask. */
export function sendProblemPage(response: Response, problem: Problem, operator: Operator): void {
  const { status, detail, next_action, request_id } = problem;
  const isUnknown = status === 404;
  const title = isUnknown ? "Page not found" : problem.title;
  const said = isUnknown ? [NOT_FOUND] : [detail, next_action ?? ""].filter(Boolean);
  const developers = isUnknown ? '<a href="/docs">API reference</a>, ' : "";
  const body = `${said.map((each) => `<p>${escapeHtml(each)}</p>`).join("")}<p>${developers}${escapeHtml(request_id ?? "")}</p>`;
  response.status(status).type("html");
  response.send(page({ title, brand: operator.name, body: [body], foot: imprint(operator, "en") }));
}
