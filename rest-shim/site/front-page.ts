import { readPackageFile } from "../../src/ops/package-root.ts";
import { COPY_BUTTONS, escapeHtml, page, table } from "../../src/servers/http/page.ts";
import { restRowsOf } from "../../src/service/calls/operation.ts";
import en from "../../src/service/checkout/texts/en.json" with { type: "json" };
import type { Row } from "../../src/service/checkout/view/legs-view.ts";
import type { Offer } from "../../src/service/checkout/view/offer.ts";
import { offerView } from "../../src/service/checkout/view/offer-view.ts";
import { createWords, plain } from "../../src/service/checkout/view/words.ts";
import { tools } from "../../tools/tools.ts";
import { readApiExamples } from "../api-examples.ts";
import { filled } from "../parameters.ts";
import type { Site } from "./about-pages.ts";
import { SANDBOX_LINK } from "./sandbox-page.ts";

/** `/`: what a traveler gets, for travelers, and how to add it to an assistant, for their authors. */
export function frontPage({ publicUrl, operator, sandbox }: Site): string {
  const rows = tools.map((tool) => [
    `<a href="/docs#${restRowsOf(tool)[0]?.operationId}"><code>${tool.name}</code></a>`,
    escapeHtml(tool.title),
  ]);
  const values = {
    ...sample(),
    url: escapeHtml(publicUrl),
    vsCode: escapeHtml(JSON.stringify({ name: "transfer-quote", type: "http", url: `${publicUrl}/mcp` })),
    tools: table(["Tool", "Does"], rows),
    sandbox: sandbox ? SANDBOX_LINK : "",
    operator: escapeHtml(operator.name),
    email: escapeHtml(operator.email),
  };
  const body = filled(readPackageFile("rest-shim/site/front-page.html"), values);
  const description =
    "Ask your assistant for a transfer in Switzerland: a price fixed for 30 minutes, and a link to book.";
  return page({ head: COPY_BUTTONS, title: "Transfer quotes", description, operator, body });
}

/** A question of a traveler, and the offer that answers it: the recorded example, in the view of page and card. */
function sample(): { readonly question: string; readonly offer: string } {
  const recorded = readApiExamples().operations.find(({ operationId }) => operationId === "resolveCheckoutHandoff");
  const offer = recorded?.response as unknown as Offer;
  const words = createWords("en", en.view, en.notices, (text) => text);
  const { head, directions, vehicle, price } = offerView(offer, words);
  const [from, to] = head.ends;
  const at = offer.pickup_datetime ?? "";
  const lines = [
    `<p><strong>${escapeHtml(`${from} → ${to}`)}<br>${escapeHtml(head.when)}</strong></p>`,
    `<p>${escapeHtml(plain(head.party))}</p>`,
    ...directions.map(({ rows }) => `<ol class="timeline">${rows.map(rowItem).join("")}</ol>`),
    `<p>${escapeHtml(plain(vehicle.name))}: <strong>${escapeHtml(price.total)}</strong> <span class="note">${escapeHtml(price.note)}</span></p>`,
  ];
  const party = ` for ${words.text("passengers", { count: offer.passengers })} with ${words.text("room", { count: offer.luggage ?? 0 })}`;
  const question = `What does a car from ${from} to ${to} cost on ${words.date(at)}, landing at ${words.clock(at)},${party}?`;
  return { question: escapeHtml(question), offer: lines.join("") };
}

function rowItem({ isConnection, time, place, what, way }: Row): string {
  const parts = [`<strong class="clock">${time}</strong>`, `<strong>${escapeHtml(place)}</strong>`];
  const quiet = [`<span class="what">${escapeHtml(what)}</span>`, `<span class="way">${escapeHtml(way)}</span>`];
  return `<li class="leg${isConnection ? " connection" : ""}">${[...parts, ...quiet].join(" ")}</li>`;
}
