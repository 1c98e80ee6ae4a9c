/** What one quote takes, as measured. */
export interface Measured {
  readonly quotesPerSecond: number;
  readonly cpuSeconds: { readonly process: number; readonly postgres: number; readonly redis: number };
  /** Of PostgreSQL: written ahead, and kept in tables and indexes. */
  readonly bytes: { readonly log: number; readonly kept: number };
}

export interface Part {
  readonly name: string;
  readonly arithmetic: string;
  readonly needs: string;
  readonly remedy: string;
  /** How much of what an operator starts with it takes. */
  readonly load: number;
}

/** No part is planned fuller: what is above waits in bursts. */
const FULL = 0.7;
/** What an operator starts with: one process is one thread, as is Redis. */
const DATABASE_CORES = 8;
const DISK_BYTES = 1e12;
const LOG_BYTES_PER_SECOND = 200e6;
const CONNECTIONS = 200;
const CONNECTIONS_PER_PROCESS = 10;
/** Half an hour until the quote expires, and a day after; its record a day. */
const KEPT_SECONDS = 24.5 * 3600;
/** A delete leaves its bytes until vacuum comes by. */
const BLOAT = 1.5;

/** What a rate of quotes needs of each part, the fullest part of a first machine first. */
export function planFor({ cpuSeconds, bytes }: Measured, rate: number): readonly Part[] {
  const cores = (seconds: number) => (rate * seconds) / FULL;
  const processes = Math.ceil(cores(cpuSeconds.process));
  const kept = rate * KEPT_SECONDS * bytes.kept * BLOAT;
  const log = rate * bytes.log;
  const connections = processes * CONNECTIONS_PER_PROCESS;
  const parts: readonly Part[] = [
    {
      name: "processes",
      arithmetic: `${rate} × ${ms(cpuSeconds.process)} / ${FULL}`,
      needs: `${processes} of one core`,
      remedy: "start more; nothing else changes",
      load: cores(cpuSeconds.process),
    },
    {
      name: "PostgreSQL, processors",
      arithmetic: `${rate} × ${ms(cpuSeconds.postgres)} / ${FULL}`,
      needs: `${cores(cpuSeconds.postgres).toFixed(1)} cores`,
      remedy: "read replicas for quotes older than the replicas' lag; then an engine that scales out",
      load: cores(cpuSeconds.postgres) / DATABASE_CORES,
    },
    {
      name: "PostgreSQL, disk",
      arithmetic: `${rate}/s × ${KEPT_SECONDS} s × ${kb(bytes.kept)} × ${BLOAT}`,
      needs: `${(kept / 1e9).toFixed(0)} GB`,
      remedy: "tables by day: a day is dropped, not deleted row by row",
      load: kept / DISK_BYTES,
    },
    {
      name: "PostgreSQL, log",
      arithmetic: `${rate}/s × ${kb(bytes.log)}`,
      needs: `${(log / 1e6).toFixed(1)} MB/s`,
      remedy: "a disk of its own; then an engine that scales out",
      load: log / LOG_BYTES_PER_SECOND,
    },
    {
      name: "PostgreSQL, connections",
      arithmetic: `${processes} × ${CONNECTIONS_PER_PROCESS}`,
      needs: `${connections}`,
      remedy: "PgBouncer 1.21 or later, for prepared statements; ignore_startup_parameters = statement_timeout",
      load: connections / CONNECTIONS,
    },
    {
      name: "Redis",
      arithmetic: `${rate} × ${ms(cpuSeconds.redis)} / ${FULL}`,
      needs: `${cores(cpuSeconds.redis).toFixed(2)} of its one thread`,
      remedy: "a cluster: a charge touches one key",
      load: cores(cpuSeconds.redis),
    },
  ];
  return parts.toSorted((a, b) => b.load - a.load);
}

export function ms(seconds: number): string {
  return `${(seconds * 1000).toFixed(2)} ms`;
}

export function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
