import { LRUCache } from "lru-cache";
import type { AdapterFactory, AdapterPayload } from "oidc-provider";

/** Keeps sessions, grants and codes in this process: 1,000 at most, the least recently used are dropped first. */
export function createMemoryAdapter(): AdapterFactory {
  const entries = new LRUCache<string, AdapterPayload>({ max: 1_000 });

  return (model) => ({
    async upsert(id, payload, expiresIn) {
      entries.set(`${model}:${id}`, payload, expiresIn ? { ttl: expiresIn * 1000 } : {});
    },
    find: async (id) => entries.get(`${model}:${id}`),
    findByUid: async (uid) => [...entries.values()].find((each) => each.kind === model && each.uid === uid),
    // Of the device flow, which is off.
    findByUserCode: async () => undefined,
    async consume(id) {
      Object.assign(entries.get(`${model}:${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1000) });
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId) {
      for (const [key, payload] of entries) if (payload.grantId === grantId) entries.delete(key);
    },
  });
}
