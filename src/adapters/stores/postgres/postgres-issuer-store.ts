import type { Clock } from "../../../ops/clock.ts";
import type { Log } from "../../../ops/log.ts";
import {
  type IssuerRecord,
  type IssuerStore,
  type KeptRecord,
  MOST_OF_A_KIND,
  StoreFull,
} from "../../identity/embedded/issuer-store.ts";
import { openPool, queryOf, unusableDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { keptSetting } from "./settings.ts";

const COLUMNS = "key, payload, expires_at, consumed_at IS NOT NULL AS consumed";
const FIND = `SELECT ${COLUMNS} FROM transfer_issuer_records
  WHERE kind = $1 AND key = $2 AND (expires_at > $3 OR expires_at IS NULL)`;
const LIST = `SELECT ${COLUMNS} FROM transfer_issuer_records WHERE kind = $1 AND (expires_at > $2 OR expires_at IS NULL)`;
const ADD = `INSERT INTO transfer_issuer_records (kind, key, payload, expires_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING RETURNING 1`;
/** Returns no row where there are $5 of the kind without this one. */
const SAVE = `INSERT INTO transfer_issuer_records (kind, key, payload, expires_at)
  SELECT $1, $2, $3, $4::timestamptz
  WHERE (SELECT count(*) FROM transfer_issuer_records WHERE kind = $1 AND key <> $2) < $5
  ON CONFLICT (kind, key) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
  RETURNING 1`;
const CONSUME = `UPDATE transfer_issuer_records SET consumed_at = $3
  WHERE kind = $1 AND key = $2 AND consumed_at IS NULL AND (expires_at > $3 OR expires_at IS NULL) RETURNING 1`;
const REMOVE = "DELETE FROM transfer_issuer_records WHERE kind = $1 AND key = $2";

interface Row {
  readonly key: string;
  readonly payload: string;
  readonly expires_at: Date | null;
  readonly consumed: boolean;
}

/**
 * What the embedded issuer keeps, in PostgreSQL; the store of quotes purges what has expired. Creates the tables as that
 * one does. Rejects with UnusableStorage where the database cannot be reached at the start.
 */
export async function openPostgresIssuerStore(
  url: string,
  options: { readonly clock: Clock; readonly log: Log; readonly mostOfAKind?: number },
): Promise<IssuerStore> {
  const { clock, log, mostOfAKind = MOST_OF_A_KIND } = options;
  await migrate(url, log).catch((error) => {
    throw unusableDatabase(error);
  });
  const pool = openPool({ url, connections: 2 });
  const query = queryOf(pool);
  const now = () => clock.now().toISOString();

  return {
    secrets: async (create) => keptSetting(query, "issuer_secrets", await create()),
    find: async (kind, key) => (await query<Row>(FIND, [kind, key, now()])).map(recordOf)[0],
    list: async (kind) => (await query<Row>(LIST, [kind, now()])).map(recordOf),
    add: async (kind, key, record) => (await query(ADD, [kind, key, ...columnsOf(record)])).length > 0,
    async save(kind, key, record) {
      const saved = await query(SAVE, [kind, key, ...columnsOf(record), mostOfAKind]);
      if (saved.length === 0) throw new StoreFull(`${mostOfAKind} records of ${kind}`);
    },
    consume: async (kind, key) => (await query(CONSUME, [kind, key, now()])).length > 0,
    remove: async (kind, key) => void (await query(REMOVE, [kind, key])),
    close: () => pool.end(),
  };
}

function columnsOf({ payload, expiresAt }: IssuerRecord) {
  return [JSON.stringify(payload), expiresAt === undefined ? null : new Date(expiresAt).toISOString()];
}

function recordOf({ key, payload, expires_at, consumed }: Row): KeptRecord {
  return { key, payload: JSON.parse(payload), expiresAt: expires_at?.getTime(), isConsumed: consumed };
}
