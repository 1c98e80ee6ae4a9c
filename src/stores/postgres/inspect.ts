import { openPool, queryOf, type Statement, unusableDatabase } from "./database.ts";
import { pendingOf } from "./migrate.ts";
import { comparedSecrets } from "./settings.ts";

/** What a start of this version would find in a database, and change in it. */
export interface InspectedDatabase {
  /** Names of the migrations that a start would run; those of all tables where there are none yet. */
  readonly migrations: readonly string[];
  /** Whether a start would record the checkout secrets, because they are others than those recorded. */
  readonly recordsSecrets: boolean;
  /** Events that wait for their delivery. */
  readonly waiting: number;
}

const MAY_CREATE: Statement = {
  name: "may-create",
  text: "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS allowed",
};
const WAITING: Statement = { name: "waiting", text: "SELECT count(*)::int AS waiting FROM transfer_outbox" };

/** Reads only. Throws UnusableStorage where a start would fail. */
export async function inspectDatabase(url: string, secrets: readonly string[]): Promise<InspectedDatabase> {
  const pool = openPool({ url, connections: 1, isPatient: true });
  try {
    const query = queryOf(pool);
    const { pending, isNew } = await pendingOf(pool);
    const migrations = pending.map(({ name }) => name);
    if (migrations.length > 0) {
      const [right] = await query<{ allowed: boolean }>(MAY_CREATE, []);
      if (!right?.allowed) throw new Error(`the role may not create tables, which ${migrations.join(", ")} needs`);
    }
    if (isNew) return { migrations, recordsSecrets: true, waiting: 0 };
    const { isNew: recordsSecrets } = await comparedSecrets(query, secrets);
    const [row] = await query<{ waiting: number }>(WAITING, []);
    return { migrations, recordsSecrets, waiting: row?.waiting ?? 0 };
  } catch (error) {
    throw unusableDatabase(error);
  } finally {
    await pool.end();
  }
}
