import ipaddr from "ipaddr.js";

/**
 * What an address is counted under: an IPv4 address by itself, an IPv6 address by its /64, because one host commonly
 * owns a whole /64 (RFC 6177). Anything else ("stdio") counts as it stands.
 */
export function addressKey(address: string): string {
  const bare = address.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(bare)) return `address:${address}`;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === "ipv4") return `address:${parsed.toString()}`;
  const network = parsed.toByteArray().slice(0, 8);
  return `address:${Buffer.from(network).toString("hex")}/64`;
}
