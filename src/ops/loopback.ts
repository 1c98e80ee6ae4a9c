import ipaddr from "ipaddr.js";

/** The host names of a loopback server. */
export const LOOPBACK_HOSTS: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Whether a host name or an address, with or without brackets, is a loopback one. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return bare === "localhost" || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === "loopback");
}

/** The origins under which a server is reached: a loopback server has several names. */
export function originsOf(publicUrl: string): readonly string[] {
  const { origin, protocol, hostname, port } = new URL(publicUrl);
  if (!isLoopback(hostname)) return [origin];
  const names = LOOPBACK_HOSTS.map((name) => `${protocol}//${name}${port && `:${port}`}`);
  return [...new Set([origin, ...names])];
}
