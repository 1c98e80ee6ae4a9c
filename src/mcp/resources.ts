import { gzipSync } from "node:zlib";
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { Charge, Run } from "../calls/call-pipeline.ts";
import { type Operation, type OperationContext, perCatalog } from "../calls/operation.ts";
import { lightDarkColor } from "../http/page.ts";
import { readBuiltFile } from "../ops/package-root.ts";
import type { GetCaller } from "./mcp-tools.ts";
import { errorOf, RpcCode, RpcError } from "./rpc-errors.ts";

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

const MAP = {
  uriTemplate: "transfer-quote://quotes/{quote_id}/map.svg",
  name: "quote_map",
  title: "Map of a quote",
  description: "Picture of the route of a quote that this client created.",
  mimeType: "image/svg+xml",
};
const MAP_URI = /^transfer-quote:\/\/quotes\/([\w-]{1,64})\/map\.svg$/;

/** `_meta` of a tool whose response the card shows. */
export const CARD_OF_TOOL = { ui: { resourceUri: CARD.uri } };

type Catalog = OperationContext["catalog"];

type ResourcesResult = ListResourcesResult | ListResourceTemplatesResult | ReadResourceResult;

export const RESOURCE_METHODS: readonly string[] = ["resources/list", "resources/templates/list", "resources/read"];

/** Answers the `RESOURCE_METHODS`; throws an RpcError where a resource is unknown or cannot be read. */
export function createMcpResources(quoteMap: Operation, run: Run, charge: Charge, catalog: () => Catalog) {
  return async (
    method: string,
    params: unknown,
    getCaller: GetCaller,
    signal: AbortSignal,
  ): Promise<ResourcesResult> => {
    const { uri } = (params ?? {}) as { uri?: unknown };
    const [, quoteId] = MAP_URI.exec(typeof uri === "string" ? uri : "") ?? [];
    // The map is a call of its own, with its own budget.
    if (method === "resources/read" && quoteId !== undefined) return readMap(String(uri), quoteId, getCaller, signal);
    const problem = await charge("discovery", await getCaller());
    if (problem) throw errorOf(problem);
    if (method === "resources/list") return { resources: [CARD] };
    if (method === "resources/templates/list") return { resourceTemplates: [MAP] };
    if (uri === CARD.uri) return cardPage(catalog());
    if (typeof uri === "string") throw notFound(uri);
    const message = "params.uri must be the address of a resource; resources/list returns it.";
    throw new RpcError(RpcCode.InvalidParams, message);
  };

  async function readMap(uri: string, quoteId: string, getCaller: GetCaller, signal: AbortSignal) {
    const input = () => ({ quote_id: quoteId });
    const outcome = await run(quoteMap, { instance: null, signal, input, ...(await getCaller()) });
    if (!outcome.ok) {
      const { problem } = outcome;
      throw problem.code === "QUOTE_NOT_FOUND" ? notFound(uri) : errorOf(problem);
    }
    const { route_map: text } = outcome.value as { readonly route_map?: string };
    if (text === undefined) throw notFound(uri);
    return { contents: [{ uri, mimeType: MAP.mimeType, text }] };
  }
}

/** Built on first use and after each reload, with all names and translations that the card needs. */
const cardPage = perCatalog(({ translations, vehicleClasses, operator }): ReadResourceResult => {
  const vehicleTypes = Object.fromEntries(vehicleClasses.map(({ id, type }) => [id, type]));
  const { name, phone, color, logo } = operator;
  const brand = {
    ...{ name, phone, color: color && lightDarkColor(color) },
    logo: logo && `data:${logo.type};base64,${logo.content.toString("base64")}`,
  };
  const content = { translations, vehicleTypes, operator: brand };
  const packed = gzipSync(JSON.stringify(content)).toString("base64");
  const text = readBuiltFile("quote-card.html").replace('id="catalog">', `id="catalog">${packed}`);
  const { uri, mimeType, _meta } = CARD;
  return { contents: [{ uri, mimeType, text, _meta }] };
});

function notFound(uri: string): RpcError {
  return new RpcError(RpcCode.InvalidParams, `Resource not found: ${uri}`, { uri });
}
