import ipaddr from "ipaddr.js";

/** Key under which the calls of a token's subject are counted. It never equals an address's key. */
export function subjectKey(subject: string): string {
  return `subject:${subject}`;
}

/**
 * Key under which the calls of an address are counted: an IPv4 address by itself, an IPv6 address by its /64, because
 * one host commonly owns a whole /64 (RFC 6177). Anything else ("stdio") is counted as it is.
 */
export function addressKey(address: string): string {
  const bare = address.split("%", 1)[0] ?? "";
  if (!ipaddr.isValid(bare)) return `address:${address}`;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === "ipv4") return `address:${parsed.toString()}`;
  const network = parsed.toByteArray().slice(0, 8);
  return `address:${Buffer.from(network).toString("hex")}/64`;
}
