import type { FetchImplementation } from "jose";

const MAX_KEY_SET_BYTES = 256 * 1024;

/**
 * `fetch` for jose's remote key set that reads at most 256 KiB. Rejects on any status but 200, on a longer body and on
 * one without a key; the
 * time limit is in the `signal` that jose hands over.
 */
export const fetchKeySet: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`HTTP status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_KEY_SET_BYTES) throw new Error(`the key set is longer than ${MAX_KEY_SET_BYTES} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  // An empty set would take the good keys' place and lock every caller out.
  if (!hasKey(JSON.parse(text))) throw new Error("the key set holds no key");
  return new Response(text);
};

function hasKey(keySet: unknown): boolean {
  const { keys } = (keySet ?? {}) as { keys?: unknown };
  return Array.isArray(keys) && keys.length > 0;
}
