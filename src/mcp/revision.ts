/** The protocol revision in which every request describes itself in `_meta`, without `initialize` before it. */
export const NEWER_REVISION = "2026-07-28";
/** Those of SDK 1.x, the latest first; a test compares them. */
export const OLDER_REVISIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
];
export const REVISIONS: readonly string[] = [NEWER_REVISION, ...OLDER_REVISIONS];

const PROTOCOL_VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
/** Methods that the older revisions do not have. */
const NEWER_METHODS: readonly unknown[] = ["server/discover", "subscriptions/listen"];

/** The revisions in an `MCP-Protocol-Version` header: hosts and proxies between them repeat it. */
export function revisionsOf(header: string | undefined): readonly string[] {
  return [...new Set(header?.split(",").map((value) => value.trim()))];
}

/** What a message names as its revision in `_meta`; `undefined` where it names none. */
export function claimedRevision(message: unknown): unknown {
  const { params } = (message ?? {}) as { params?: { _meta?: Record<string, unknown> } | null };
  return params?._meta?.[PROTOCOL_VERSION_KEY];
}

/**
 * Whether an HTTP message is served as the newer revision. A header alone does not decide: hosts send the newest
 * revision that they know after an `initialize` that has agreed on an older one.
 */
export function isNewer(message: unknown, headerRevisions: readonly string[]): boolean {
  const claim = claimedRevision(message);
  if ([claim, ...headerRevisions].some((revision) => OLDER_REVISIONS.includes(String(revision)))) return false;
  if (claim !== undefined) return true;
  const { method } = (message ?? {}) as { method?: unknown };
  return headerRevisions.includes(NEWER_REVISION) && NEWER_METHODS.includes(method);
}
