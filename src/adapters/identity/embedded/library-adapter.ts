import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import type { Clock } from "../../../ops/clock.ts";
import { sha256 } from "../../../ops/ids.ts";
import { findClient } from "./credentials.ts";
import { ISSUER_KINDS, type IssuerKind, type IssuerStore, StoreFull } from "./issuer-store.ts";

/** Keeps nothing. */
const NOTHING: Adapter = {
  async upsert() {},
  async find() {},
  async findByUserCode() {},
  async findByUid() {},
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {},
};

/**
 * The library's storage over ours. Ids of codes and refresh tokens are secrets: records have their hash as key and never
 * the id. Sessions are not kept, since there are no accounts: every sign-in asks. Access tokens are JWTs, which the
 * library does not keep.
 */
export function createLibraryAdapter(store: IssuerStore, clock: Clock): (model: string) => Adapter {
  return (model) => {
    if (model === "Client") return { ...NOTHING, find: (id) => findClient(store, id) };
    const kind = ISSUER_KINDS.find((each) => each === model);
    return kind ? keptAs(kind) : NOTHING;
  };

  function keptAs(kind: IssuerKind): Adapter {
    return {
      ...NOTHING,
      async upsert(id, { jti: _id, ...payload }, expiresIn) {
        const expiresAt = expiresIn === undefined ? undefined : clock.now().getTime() + expiresIn * 1000;
        await store.save(kind, keyOf(id), { payload, expiresAt }).catch((error) => {
          if (!(error instanceof StoreFull)) throw error;
          throw new errors.TemporarilyUnavailable("too many sign-ins are in progress or in force");
        });
      },
      async find(id) {
        const record = await store.find(kind, keyOf(id));
        const { payload, isConsumed } = record ?? {};
        if (payload) return { ...payload, jti: id, ...(isConsumed && { consumed: true }) } as AdapterPayload;
      },
      async consume(id) {
        if (await store.consume(kind, keyOf(id))) return;
        // Two requests at the same time both found it unused: one of them is not its owner's.
        const record = await store.find(kind, keyOf(id));
        if (record?.payload.grantId !== undefined) await endGrant(String(record.payload.grantId));
        throw new errors.InvalidGrant("it has been used already");
      },
      destroy: (id) => store.remove(kind, keyOf(id)),
      // Codes and refresh tokens are worth nothing without their grant, and expire.
      revokeByGrantId: endGrant,
    };
  }

  async function endGrant(id: string): Promise<void> {
    await store.remove("Grant", keyOf(id));
  }
}

function keyOf(id: string): string {
  return sha256(id, "base64url");
}
