import type { Config } from "../config/config.ts";

/** The origin under which a server with this configuration is reached once it listens on `port`. */
export function publicUrlOf({ publicUrl, httpHost }: Pick<Config, "publicUrl" | "httpHost">, port: number): string {
  if (publicUrl !== undefined) return publicUrl;
  const isWildcard = httpHost === "0.0.0.0" || httpHost === "::";
  const host = isWildcard ? "localhost" : httpHost;
  return `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}
