import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { instantOf, isDateTime } from "../contract/request-fields.ts";
import { isLoopback } from "../ops/loopback.ts";
import type { Kind } from "./setting.ts";

export const text = (allowed: string, pattern = /^/): Kind<string> =>
  kind(allowed, (value) => (pattern.test(value) ? value : undefined));

export const folder = text("a folder's path");
export const url = urlOf("an http or https URL", ["http:", "https:"]);

/** An address to which confidential data is sent. */
export const secureUrl = kind(
  "an https URL without user and password, or an http one on a loopback address",
  (value) => {
    if (url.parse(value) === undefined) return undefined;
    const { protocol, hostname, username, password } = new URL(value);
    return !username && !password && (protocol === "https:" || isLoopback(hostname)) ? value : undefined;
  },
);

/** A URL without a slash at its end. */
export const base = kind(url.allowed, (value) => url.parse(value)?.replace(/\/+$/, ""));

/** Secrets as Standard Webhooks writes them. */
export const webhookSecrets = listOf(
  '"whsec_" and 24 to 64 bytes in base64, comma-separated (a new one: echo whsec_$(openssl rand -base64 32))',
  (item) => {
    const [, base64 = ""] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(item) ?? [];
    const bytes = Buffer.from(base64, "base64");
    return bytes.length >= 24 && bytes.length <= 64 && bytes.toString("base64") === base64 ? item : undefined;
  },
);

/** An origin, without path, query or user. */
export const origin = kind(
  "an http or https origin such as https://quotes.example.com, without a path (give the server a host name of its own)",
  originOf,
);

export const origins = listOf("http or https origins, comma-separated", originOf);

/** Host headers in lower case, with or without a port. */
export const hosts = listOf("host or host:port, comma-separated", (host) =>
  /^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host) ? host.toLowerCase() : undefined,
);

/** Values of Express's `trust proxy`. */
export const proxies = kind("loopback, linklocal, uniquelocal, addresses or CIDRs, comma-separated", (value) =>
  itemsOf(value)?.every(
    (item) =>
      ["loopback", "linklocal", "uniquelocal"].includes(item) ||
      // ipaddr alone reads "1", a number of hops in Express, as 0.0.0.1.
      (isIP(item.split("/")[0] ?? "") > 0 && (ipaddr.isValid(item) || ipaddr.isValidCIDR(item))),
  )
    ? value
    : undefined,
);

export const port = integerIn(0, 65535);

export const boolean = kind("true or false", (value) =>
  value === "true" || value === "false" ? value === "true" : undefined,
);

export const dateTime = kind("an RFC 3339 date-time", (value) => (isDateTime(value) ? instantOf(value) : undefined));

export function integerIn(least: number, most: number): Kind<number> {
  return kind(`an integer from ${least} to ${most}`, (value) =>
    /^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined,
  );
}

export function numberIn(least: number, most: number): Kind<number> {
  return kind(`a number from ${least} to ${most}`, (value) =>
    /^\d+(\.\d+)?$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined,
  );
}

export function oneOf<T extends string>(...allowed: readonly T[]): Kind<T> {
  const listed = `${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`;
  return kind(listed, (value) => allowed.find((each) => each === value));
}

/** Items separated by commas, each read by `itemOf`. */
export function listOf(allowed: string, itemOf: (item: string) => string | undefined = (item) => item): Kind<string[]> {
  return kind(allowed, (value) => {
    const items = itemsOf(value)?.map(itemOf);
    return items?.every((item) => item !== undefined) ? items : undefined;
  });
}

export function urlOf(allowed: string, protocols: readonly string[]): Kind<string> {
  return kind(allowed, (value) =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : undefined,
  );
}

export function secret<V>(what: Kind<V>): Kind<V> {
  return { ...what, isSecret: true };
}

function kind<V>(allowed: string, parse: (value: string) => V | undefined): Kind<V> {
  return { allowed, parse };
}

function itemsOf(value: string): string[] | undefined {
  const items = value.split(",").map((item) => item.trim());
  return items.includes("") ? undefined : items;
}

function originOf(value: string): string | undefined {
  const parsed = url.parse(value) === undefined ? undefined : new URL(value);
  return parsed && parsed.pathname === "/" && !parsed.search && !parsed.hash && !parsed.username
    ? parsed.origin
    : undefined;
}
