import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import ipaddr from "ipaddr.js";
import { z } from "zod/v3";
import { instantOf, isDateTime } from "../../contract/request-fields.ts";
import { isLoopback } from "../../ops/loopback.ts";
import type { SettingSchema } from "./setting.ts";

/** The values that settings accept: schemas of a text, whose descriptions say to people what is allowed. */

export const text = z.string();
export const folder = text.describe("a folder's path");
export const port = integerIn(0, 65535);
export const boolean = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .describe("true or false");
export const dateTime = text.refine(isDateTime).transform(instantOf).describe("an RFC 3339 date-time");

export const url = urlOf("http:", "https:").describe("an http or https URL");

/** A URL without a slash at its end. */
export const base = url.transform((value) => value.replace(/\/+$/, "")).describe("an http or https URL");

/** An address to which confidential data is sent. */
export const secureUrl = url
  .refine((value) => {
    // Runs after a refinement that failed, too.
    if (!URL.canParse(value)) return false;
    const { protocol, hostname, username, password } = new URL(value);
    return !username && !password && (protocol === "https:" || isLoopback(hostname));
  })
  .describe("an https URL without user and password, or an http one on a loopback address");

/** Where an iCalendar feed is, as a URL. */
export const calendar = text
  .transform((value) => (isAbsolute(value) ? pathToFileURL(value).href : value))
  .refine((value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, hostname, host } = new URL(value);
    return (
      (protocol === "file:" && host === "") || protocol === "https:" || (protocol === "http:" && isLoopback(hostname))
    );
  })
  .describe("an https URL, an http one on a loopback address, or the absolute path of a file");

/** An origin, without path, query or user. */
export const origin = url
  .transform((value) => new URL(value))
  .refine(({ pathname, search, hash, username }) => pathname === "/" && !search && !hash && !username)
  .transform(({ origin }) => origin)
  .describe(
    "an http or https origin such as https://quotes.example.com, without a path (give the server a host name of its own)",
  );

/** Secrets as Standard Webhooks writes them. */
export const webhookSecrets = listOf(text.refine(isWebhookSecret)).describe(
  '"whsec_" and 24 to 64 bytes in base64, comma-separated (a new one: echo whsec_$(openssl rand -base64 32))',
);

export const origins = listOf(origin).describe("http or https origins, comma-separated");

/** Host headers in lower case, with or without a port. */
export const hosts = listOf(text.regex(/^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/i).toLowerCase()).describe(
  "host or host:port, comma-separated",
);

/** Values of Express's `trust proxy`. */
export const proxies = listOf(text.refine(isProxy))
  .transform((items) => items.join(","))
  .describe("loopback, linklocal, uniquelocal, addresses or CIDRs, comma-separated");

export function integerIn(least: number, most: number): SettingSchema<number> {
  return text
    .regex(/^\d{1,15}$/)
    .pipe(numberIn(least, most))
    .describe(`an integer from ${least} to ${most}`);
}

export function numberIn(least: number, most: number): SettingSchema<number> {
  const digits = text.regex(/^\d+(\.\d+)?$/).transform(Number);
  return digits.pipe(z.number().min(least).max(most)).describe(`a number from ${least} to ${most}`);
}

export function oneOf<T extends string>(...allowed: readonly T[]) {
  return z.enum(allowed as [T, ...T[]]).describe(`${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`);
}

/** Items separated by commas. */
export function listOf(item: SettingSchema<string>): SettingSchema<string[]> {
  const items = text.transform((value) => value.split(",").map((each) => each.trim()));
  return items.pipe(z.array(text.min(1).pipe(item)));
}

export function urlOf(...protocols: readonly string[]) {
  return text.refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));
}

function isWebhookSecret(item: string): boolean {
  const [, base64 = ""] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(item) ?? [];
  const bytes = Buffer.from(base64, "base64");
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString("base64") === base64;
}

function isProxy(item: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(item)) return true;
  // ipaddr alone reads "1", a number of hops in Express, as 0.0.0.1.
  return isIP(item.split("/")[0] ?? "") > 0 && (ipaddr.isValid(item) || ipaddr.isValidCIDR(item));
}
