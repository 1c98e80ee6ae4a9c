import { createLocalJWKSet, errors, type JSONWebKeySet } from "jose";
import { upstreamUnavailable } from "../../contract/errors.ts";
import { type Clock, systemClock } from "../../ops/clock.ts";
import { MINUTE } from "../../ops/durations.ts";
import { createLatch, type Log, loggablePath } from "../../ops/log.ts";
import { fetchJson, keySetUrlOf } from "./issuer-metadata.ts";
import { ALGORITHMS, type VerificationKeys } from "./jwt-verifier.ts";

export interface RemoteKeysOptions {
  readonly issuer: string;
  /** Absolute address of the issuer's JSON Web Key Set. Default: the `jwks_uri` of the issuer's metadata. */
  readonly url?: string | undefined;
  readonly log: Log;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Time limit of one fetch, in milliseconds. Default 3,000. */
  readonly timeoutMs?: number;
}

/** The issuer's keys, as the verifier asks for them. */
export type RemoteKeys = VerificationKeys & {
  /**
   * For readiness: resolves when keys are at hand or can be fetched now, otherwise throws UPSTREAM_UNAVAILABLE with the
   * address and the reason, which are for the operator.
   */
  check(): Promise<void>;
};

const MAX_AGE_MS = 10 * MINUTE;
const COOLDOWN_MS = 30_000;
const COOLDOWN_WITHOUT_KEYS_MS = 2_000;

/**
 * The keys that an issuer publishes over HTTP. Keys once fetched stay in use while the issuer is unavailable. They are
 * fetched again in the background after 10 minutes, and at once for an unknown `kid`. A fetch begins at the earliest 30
 * seconds after the end of the one before, whether that failed or not (2 seconds while there are no keys at all).
 * Concurrent callers share one fetch.
 */
export function createRemoteKeys(options: RemoteKeysOptions): RemoteKeys {
  const { issuer, url, log, clock = systemClock, timeoutMs = 3_000 } = options;
  // jose's own remote set counts its cooldown from the last success: every unknown kid would cause a fetch while the
  // issuer is unavailable. It makes calls wait for keys that are due for renewal, and fail with the issuer; it would
  // replace good keys by a set without a usable key, and never ask for rotated keys after the clock was set back.
  let keySet: VerificationKeys | undefined;
  let fetching: Promise<void> | undefined;
  let endedAt = Number.NEGATIVE_INFINITY;
  let succeededAt = Number.NEGATIVE_INFINITY;
  let failure: string | undefined;
  const latch = createLatch(
    log,
    "warn",
    "The identity provider's keys cannot be fetched.",
    "The identity provider's keys can be fetched again.",
  );

  const find: VerificationKeys = async (header, token) => {
    const known = await fetchedKeys();
    if (elapsed(succeededAt) >= MAX_AGE_MS) void refresh();
    try {
      return await known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
    }
    const renewed = await fetchedKeys();
    try {
      return await renewed(header, token);
    } catch (error) {
      throw failure !== undefined && error instanceof errors.JWKSNoMatchingKey ? unavailable(error) : error;
    }
  };
  return Object.assign(find, { check });

  async function fetchedKeys(): Promise<VerificationKeys> {
    if (!keySet) await refresh();
    if (!keySet) throw unavailable(failure);
    return keySet;
  }

  async function check(): Promise<void> {
    await fetchedKeys().catch(() => {
      throw upstreamUnavailable(`No keys from ${failure}`);
    });
  }

  /** Fetches the keys, unless the last fetch ended too recently. Never rejects. */
  async function refresh(): Promise<void> {
    if (elapsed(endedAt) < (keySet ? COOLDOWN_MS : COOLDOWN_WITHOUT_KEYS_MS)) return;
    fetching ??= fetchKeys().finally(() => {
      fetching = undefined;
    });
    await fetching;
  }

  async function fetchKeys(): Promise<void> {
    const from = url ?? (await keySetUrlOf(issuer, AbortSignal.timeout(timeoutMs)));
    try {
      keySet = await usableKeys(await fetchJson(from, AbortSignal.timeout(timeoutMs)));
      succeededAt = clock.now().getTime();
      latch.worked({ url: loggablePath(from) });
      failure = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      latch.failed({ url: loggablePath(from), reason });
      failure = `${loggablePath(from)}: ${reason}`;
    }
    endedAt = clock.now().getTime();
  }

  /** Milliseconds since an instant; infinite if the clock was set back to before it. */
  function elapsed(since: number): number {
    const milliseconds = clock.now().getTime() - since;
    return milliseconds < 0 ? Number.POSITIVE_INFINITY : milliseconds;
  }
}

/** Throws where no key of the set can verify a token: such a set must not replace good keys. */
async function usableKeys(document: unknown): Promise<VerificationKeys> {
  const { keys } = (document ?? {}) as { keys?: unknown };
  for (const key of Array.isArray(keys) ? keys : []) {
    for (const alg of ALGORITHMS) {
      try {
        await createLocalJWKSet({ keys: [key] })({ alg, ...(key.kid !== undefined && { kid: key.kid }) });
        return createLocalJWKSet(document as JSONWebKeySet);
      } catch {
        // The next algorithm or key may fit.
      }
    }
  }
  throw new Error(`no key of the set can verify ${ALGORITHMS.join(", ")}`);
}

function unavailable(cause?: unknown) {
  return upstreamUnavailable("The token cannot be verified now: the identity provider's keys are unavailable.", cause);
}

/** fetch hides what happened to the connection in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
