import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { Run } from "../calls/call-pipeline.ts";
import { type Operation, type OperationContext, perCatalog } from "../calls/operation.ts";
import { lightDarkColor } from "../http/page.ts";
import { readBuiltFile } from "../ops/package-root.ts";
import type { GetCaller } from "./mcp-tools.ts";
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
export function createMcpResources(quoteMap: Operation, run: Run, catalog: () => Catalog) {
  return async (
    method: string,
    params: unknown,
    getCaller: GetCaller,
    signal: AbortSignal,
  ): Promise<ResourcesResult> => {
    if (method === "resources/list") return { resources: [CARD] };
    if (method === "resources/templates/list") return { resourceTemplates: [MAP] };
    const uri = uriOf(params);
    if (uri === CARD.uri) return cardPage(catalog());
    const [, quoteId] = MAP_URI.exec(uri) ?? [];
    if (quoteId === undefined) throw notFound(uri);
    return readMap(uri, quoteId, getCaller, signal);
  };

  async function readMap(uri: string, quoteId: string, getCaller: GetCaller, signal: AbortSignal) {
    const input = () => ({ quote_id: quoteId });
    const outcome = await run(quoteMap, { instance: null, signal, input, ...(await getCaller()) });
    if (!outcome.ok) {
      const { problem } = outcome;
      if (problem.code === "QUOTE_NOT_FOUND") throw notFound(uri);
      const code = problem.status < 500 ? RpcCode.InvalidRequest : RpcCode.InternalError;
      throw new RpcError(code, problem.detail, problem);
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
  const json = JSON.stringify(content).replaceAll("<", "\\u003c");
  const text = readBuiltFile("quote-card.html").replace('id="catalog">{}', () => `id="catalog">${json}`);
  const { uri, mimeType, _meta } = CARD;
  return { contents: [{ uri, mimeType, text, _meta }] };
});

function notFound(uri: string): RpcError {
  return new RpcError(RpcCode.InvalidParams, `Resource not found: ${uri}`, { uri });
}

function uriOf(params: unknown): string {
  const { uri } = (params ?? {}) as { uri?: unknown };
  if (typeof uri === "string") return uri;
  const message = "params.uri must be the address of a resource; resources/list returns it.";
  throw new RpcError(RpcCode.InvalidParams, message);
}
