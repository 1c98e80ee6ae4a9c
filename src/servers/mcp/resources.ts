import { gzipSync } from "node:zlib";
import type { ReadResourceResult, Result } from "@modelcontextprotocol/server";
import { readBuiltFile } from "../../ops/package-root.ts";
import { perCatalog, type Services } from "../../service/calls/operation.ts";
import { RpcCode, RpcError } from "./rpc-errors.ts";

/** The quote card, a page of MCP Apps (SEP-1865). */
const CARD = {
  uri: "ui://transfer-quote/card",
  name: "quote_card",
  title: "Quote card",
  description: "Shows a quote or an estimate to the traveler, who can approve an option and go to the checkout.",
  mimeType: "text/html;profile=mcp-app",
  // No domains: the card loads nothing from the network.
  _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
};

/** `_meta` of a tool whose response the card shows. */
export const CARD_OF_TOOL = { ui: { resourceUri: CARD.uri } };

export const RESOURCE_METHODS: readonly string[] = ["resources/list", "resources/templates/list", "resources/read"];

/** Answers the `RESOURCE_METHODS`; throws an RpcError where a resource is unknown. */
export function answerResources(method: string, params: object | undefined, catalog: Services["catalog"]): Result {
  if (method === "resources/list") return { resources: [CARD] };
  if (method === "resources/templates/list") return { resourceTemplates: [] };
  const { uri }: { uri?: unknown } = params ?? {};
  if (uri === CARD.uri) return cardPage(catalog);
  if (typeof uri === "string") throw new RpcError(RpcCode.InvalidParams, `Resource not found: ${uri}`, { uri });
  const message = "params.uri must be the address of a resource; resources/list returns it.";
  throw new RpcError(RpcCode.InvalidParams, message);
}

/** Built on first use and after each reload, with all names and translations that the card needs. */
const cardPage = perCatalog(({ translations, vehicleClasses, operator }): ReadResourceResult => {
  const vehicleTypes = Object.fromEntries(vehicleClasses.map(({ id, type }) => [id, type]));
  const { name, phone, color, languages } = operator;
  const logo = operator.logo && `data:${operator.logo.type};base64,${operator.logo.content.toString("base64")}`;
  const content = { languages, translations, vehicleTypes, operator: { name, phone, color, logo } };
  const packed = gzipSync(JSON.stringify(content)).toString("base64");
  const text = readBuiltFile("quote-card.html").replace('id="catalog">', `id="catalog">${packed}`);
  const { uri, mimeType, _meta } = CARD;
  return { contents: [{ uri, mimeType, text, _meta }] };
});
