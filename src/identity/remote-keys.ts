import { createRemoteJWKSet, customFetch, errors } from "jose";
import { upstreamUnavailable } from "../contract/errors.ts";
import { type Clock, systemClock } from "../ops/clock.ts";
import { type Log, loggablePath } from "../ops/log.ts";
import { fetchKeySet } from "./fetch-key-set.ts";
import type { VerificationKeys } from "./jwt-verifier.ts";

export interface RemoteKeysOptions {
  /** Absolute address of the issuer's JSON Web Key Set. */
  readonly url: string;
  readonly log: Log;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Time limit of one fetch, in milliseconds. Default 3,000. */
  readonly timeoutMs?: number;
}

/** The issuer's keys, as the verifier asks for them. */
export type RemoteKeys = VerificationKeys & {
  /** For readiness: resolves when keys are at hand or can be fetched now, otherwise throws UPSTREAM_UNAVAILABLE. */
  check(): Promise<void>;
};

const MAX_AGE_MS = 10 * 60_000;
const COOLDOWN_MS = 30_000;
const COOLDOWN_WITHOUT_KEYS_MS = 2_000;

/**
 * The keys that an issuer publishes over HTTP. Keys once fetched stay in use while the issuer is unavailable; they are renewed
 * in the background after 10 minutes, and at once for an unknown `kid`. After a fetch, whether it failed or not, there
 * is none for 30 seconds (2 while there are no keys at all), and needs that coincide share one.
 */
export function createRemoteKeys(options: RemoteKeysOptions): RemoteKeys {
  const { url, log, clock = systemClock, timeoutMs = 3_000 } = options;
  // jose holds the keys, limits the time and shares a fetch. When to fetch is decided here: jose's own cooldown counts
  // from the last success, so that every unknown kid would cause a fetch while the issuer is unavailable.
  const remote = createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    [customFetch]: fetchKeySet,
  });
  const facts = { url: loggablePath(url) };
  let endedAt = Number.NEGATIVE_INFINITY;
  let succeededAt = Number.NEGATIVE_INFINITY;
  let isUnavailable = false;

  const find: VerificationKeys = async (header, token) => {
    await check();
    if (elapsed(succeededAt) >= MAX_AGE_MS) void refresh();
    try {
      return await remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
    }
    return remote(header, token).catch((error) => {
      throw isUnavailable && error instanceof errors.JWKSNoMatchingKey ? unavailable(error) : error;
    });
  };
  return Object.assign(find, { check });

  async function check(): Promise<void> {
    if (!hasKeys()) await refresh();
    if (!hasKeys()) throw unavailable();
  }

  /** Fetches the keys, unless the last fetch ended too recently. Never rejects; jose shares a fetch in flight. */
  async function refresh(): Promise<void> {
    if (elapsed(endedAt) < (hasKeys() ? COOLDOWN_MS : COOLDOWN_WITHOUT_KEYS_MS)) return;
    await remote.reload().then(succeeded, failed);
    endedAt = clock.now().getTime();
  }

  function succeeded(): void {
    if (isUnavailable) log.info(facts, "The identity provider's keys can be fetched again.");
    isUnavailable = false;
    succeededAt = clock.now().getTime();
  }

  function failed(error: unknown): void {
    // Once per outage: a log line per call would bury everything else.
    if (!isUnavailable)
      log.warn({ ...facts, reason: reasonOf(error) }, "The identity provider's keys cannot be fetched.");
    isUnavailable = true;
  }

  function hasKeys(): boolean {
    return Number.isFinite(succeededAt);
  }

  /** Milliseconds since an instant; without end where the clock has been set back behind it. */
  function elapsed(since: number): number {
    const milliseconds = clock.now().getTime() - since;
    return milliseconds < 0 ? Number.POSITIVE_INFINITY : milliseconds;
  }
}

function unavailable(cause?: unknown) {
  return upstreamUnavailable("The token cannot be verified now: the identity provider's keys are unavailable.", cause);
}

/** fetch hides what happened to the connection in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
