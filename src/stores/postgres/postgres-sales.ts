import type { SaleEvent } from "../../quotes/sale-event.ts";
import type { Sales } from "../sales.ts";
import { openPool, sqlStateOf } from "./pool.ts";
import { UnusableDatabase, unusableDatabase } from "./start-errors.ts";

const STATEMENT_MILLISECONDS = 60_000;
const BATCH = 5_000;

const EVENTS = {
  name: "sale-events",
  text: `
    SELECT * FROM transfer_sales
    WHERE occurred_at >= $1::timestamptz AND occurred_at < $2::timestamptz AND (occurred_at, id) > ($3::timestamptz, $4)
    ORDER BY occurred_at, id LIMIT ${BATCH}`,
};

interface SaleRow {
  readonly id: string;
  readonly type: SaleEvent["type"];
  readonly quote_id: string;
  readonly occurred_at: Date;
  readonly request_id: string;
  readonly surface: string;
  readonly client: string | null;
  readonly corridor: string | null;
  readonly origin: string | null;
  readonly destination: string | null;
  readonly distance_km: number;
  readonly tariff_version: string | null;
  readonly expires_at: Date;
  readonly vehicle_classes: readonly string[];
  readonly totals_rappen: readonly string[];
}

/** The sales of every process on a database. Only reads; rejects with UnusableDatabase where it cannot. */
export function openPostgresSales(url: string): Sales {
  const pool = openPool({ url, connections: 1, statementMilliseconds: STATEMENT_MILLISECONDS, isPatient: true });

  return {
    async *events({ since, until }) {
      let last: readonly string[] = [since.toISOString(), ""];
      for (let rows = BATCH; rows === BATCH; ) {
        const values = [since.toISOString(), until.toISOString(), ...last];
        const found = await pool.query<SaleRow>({ ...EVENTS, values }).catch(fail);
        rows = found.rows.length;
        const events = found.rows.map(eventOf);
        const end = events.at(-1);
        if (end) last = [end.at, end.id];
        yield events;
      }
    },
    damagedLines: () => 0,
    close: () => pool.end(),
  };
}

function eventOf(row: SaleRow): SaleEvent {
  return {
    id: row.id,
    type: row.type,
    quoteId: nameOf(row.quote_id),
    at: row.occurred_at.toISOString(),
    requestId: nameOf(row.request_id),
    surface: row.surface,
    client: row.client && nameOf(row.client),
    corridor: row.corridor,
    origin: row.origin,
    destination: row.destination,
    distanceKm: row.distance_km,
    tariffVersion: row.tariff_version && nameOf(row.tariff_version),
    expiresAt: row.expires_at.toISOString(),
    options: row.vehicle_classes.map((vehicleClass, n) => ({
      vehicleClass,
      totalRappen: Number(row.totals_rappen[n]),
    })),
  };
}

/** The name that `keyOf` wrote. */
function nameOf(key: string): string {
  return JSON.parse(`"${key}"`) as string;
}

const UNDEFINED_TABLE = "42P01";

function fail(error: unknown): never {
  if (sqlStateOf(error) !== UNDEFINED_TABLE) throw unusableDatabase(error);
  const message = "TRANSFER_DATABASE_URL: the database has no ledger of this version yet; start the server on it once";
  throw new UnusableDatabase(message, { cause: error });
}
