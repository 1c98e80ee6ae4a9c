import type { FetchImplementation } from "jose";

const MAX_KEY_SET_BYTES = 256 * 1024;

/**
 * `fetch` for jose's remote key set that reads at most 256 KiB. Rejects on any status but 200 and on a longer body; the
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
  return new Response(Buffer.concat(chunks));
};
