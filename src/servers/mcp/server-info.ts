import { packageVersion, readPackageFile } from "../../ops/package-root.ts";
import type { Operator } from "../../service/calls/operation.ts";

/** A data URI, so that hosts need not load it, over stdio either. */
const ICON = `data:image/svg+xml,${encodeURIComponent(readPackageFile("src/servers/http/site/favicon.svg"))}`;

/** The server's name in registries, on its card and in `serverInfo`. */
export const { mcpName }: { readonly mcpName: string } = JSON.parse(readPackageFile("package.json"));

export const TITLE = "Transfer quotes Switzerland";
/** The server in one line of at most 100 characters, as registries and the server card show it. */
export const TAGLINE =
  "Binding prices for passenger transfers in Switzerland, and signed checkout links for travelers.";

/** Capabilities in every protocol revision. The extension is MCP Apps, which shows quotes as a card. */
export const CAPABILITIES = { tools: {}, resources: {}, extensions: { "io.modelcontextprotocol/ui": {} } };

/**
 * The server's description of itself in every protocol revision. Hosts show the title to travelers, who know the operator;
 * `websiteUrl` is the API reference.
 */
export function serverInfo(websiteUrl: string, { name, phone, email, website }: Operator) {
  const contact = [website, phone, email].filter((part) => part !== undefined).join(", ");
  return {
    name: mcpName,
    title: name,
    version: packageVersion,
    description: `${TAGLINE} Operator: ${name} (${contact}).`,
    websiteUrl,
    icons: [{ src: ICON, mimeType: "image/svg+xml", sizes: ["any"] }],
  };
}

/** Sent to every MCP client: the journey from discovery to checkout. Under 1,500 characters. */
export const instructions = `Prices for passenger transfers in Switzerland and to its neighbors.

A quote fixes the price of one journey for 30 minutes and reserves nothing: checkout charges this price until expires_at, and non_binding and reservation_status mean that no vehicle is booked or held. An estimate fixes nothing.

1. Discover: the other tools answer questions about corridors, vehicles, policies and what a quote needs; none returns a price.
2. Ask the traveler for origin, destination, date and local time, passengers (children and infants separately), luggage and stops. Never invent them. Send times with the UTC offset of Switzerland on that day; responses are in its local time.
3. Price: create_transfer_quote; estimate_transfer_quote only for a first indication. For a quote the service measures the route; only an estimate takes your own distance_km and duration_min.
4. Tell the traveler the options with price (for the vehicle, not for each person) and currency, until when the price is fixed, and every entry of limitations.
5. Check out: after the traveler has explicitly approved one option and its price, call create_checkout_handoff and give the traveler checkout_url unchanged. The traveler pays there. Never ask for payment data.

An error is a sentence with its code, then the problem document as JSON: branch on code, send what field_errors says, follow next_action, retry only if retryable is true. Where next_action says to ask the traveler, do not choose yourself.`;
