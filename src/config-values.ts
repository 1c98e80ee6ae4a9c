import ipaddr from "ipaddr.js";
import { DateTime, instantOf } from "./contract/date-time.ts";

/** The items of a comma-separated text, or `undefined` where one is empty. */
export function listOf(text: string): string[] | undefined {
  const items = text.split(",").map((item) => item.trim());
  return items.includes("") ? undefined : items;
}

export function oneOf<T extends string>(...allowed: readonly T[]): (text: string) => T | undefined {
  return (text) => allowed.find((each) => each === text);
}

/** The text, where it is a URL of one of these protocols. */
export function urlOf(...protocols: readonly string[]): (text: string) => string | undefined {
  return (text) => (URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined);
}

export const httpUrlOf = urlOf("http:", "https:");

/** The origin, where the text is one and nothing more. */
export function originOf(text: string): string | undefined {
  const url = httpUrlOf(text) === undefined ? undefined : new URL(text);
  return url && url.pathname === "/" && !url.search && !url.hash && !url.username ? url.origin : undefined;
}

/** Whether Express takes it as a proxy. */
export function isProxyRange(text: string): boolean {
  return (
    ["loopback", "linklocal", "uniquelocal"].includes(text) ||
    ipaddr.isValid(text) ||
    ipaddr.isValidCIDR(text)
  );
}

/** The instant of an RFC 3339 date-time. */
export function dateTimeOf(text: string): Date | undefined {
  return DateTime.safeParse(text).success ? instantOf(text) : undefined;
}

export function originsOf(text: string): string[] | undefined {
  const origins = listOf(text)?.map(originOf);
  return origins?.every((origin) => origin !== undefined) ? origins : undefined;
}

/** Host headers in lower case, with or without a port. */
export function hostsOf(text: string): string[] | undefined {
  const hosts = listOf(text)?.map((host) => host.toLowerCase());
  return hosts?.every((host) => /^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/.test(host)) ? hosts : undefined;
}

export function secretsOf(text: string): string[] | undefined {
  const secrets = listOf(text);
  return secrets?.every((secret) => secret.length >= 32) ? secrets : undefined;
}

/** Whether a host name or address is this machine's own. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return bare === "localhost" || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === "loopback");
}

export function portOf(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined;
}

export function booleanOf(text: string): boolean | undefined {
  return text === "true" || text === "false" ? text === "true" : undefined;
}
