import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JSONWebKeySet } from "jose";
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

const MAX_AGE_MS = 10 * MINUTE;
const COOLDOWN_MS = 30_000;
const COOLDOWN_WITHOUT_KEYS_MS = 2_000;

/**
 * The keys that an issuer publishes over HTTP. Keys once fetched stay in use while the issuer is unavailable. They are
 * fetched again in the background after 10 minutes, and at once for an unknown `kid`. A fetch begins at the earliest 30
 * seconds after the end of the one before, whether that failed or not (2 seconds while there are no keys at all).
 * Concurrent callers share one fetch.
 *
 * That the issuer is asked so rarely, and that a set without a usable key never replaces good keys (SECURITY.md), is what
 * `fetchKeys` adds to jose's set, whose own cooldown counts from the last success.
 */
export function createRemoteKeys(options: RemoteKeysOptions) {
  const { issuer, url, log, clock = systemClock, timeoutMs = 3_000 } = options;
  let endedAt = Number.NEGATIVE_INFINITY;
  let succeededAt: number | undefined;
  /** Of the last fetch, absent where it succeeded. */
  let failure: string | undefined;
  const latch = createLatch(
    log,
    "warn",
    "The identity provider's keys cannot be fetched.",
    "The identity provider's keys can be fetched again.",
  );
  // When keys are fetched is decided here: by our clock, which may be set back, and without calls that wait for renewal.
  const own = { cacheMaxAge: Number.POSITIVE_INFINITY, cooldownDuration: 0, [customFetch]: fetchKeys };
  const keySet = createRemoteJWKSet(new URL(issuer), own);

  const find: VerificationKeys = async (header, token) => {
    if (succeededAt !== undefined && elapsed(succeededAt) >= MAX_AGE_MS) keySet.reload().catch(() => undefined);
    try {
      return await keySet(header, token);
    } catch (error) {
      const isOfToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSNoMatchingKey);
      if (failure === undefined || isOfToken) throw error;
      const detail = "The token cannot be verified now: the identity provider's keys are unavailable.";
      throw upstreamUnavailable(detail, error);
    }
  };
  return Object.assign(find, { check });

  /**
   * For readiness: resolves when keys are at hand or can be fetched now, otherwise throws UPSTREAM_UNAVAILABLE with the
   * address and the reason, which are for the operator.
   */
  async function check(): Promise<void> {
    if (succeededAt !== undefined) return;
    await keySet.reload().catch(() => {
      throw upstreamUnavailable(`No keys from ${failure}`);
    });
  }

  async function fetchKeys(): Promise<Response> {
    // To the caller the keys at hand are all there are.
    if (elapsed(endedAt) < (succeededAt === undefined ? COOLDOWN_WITHOUT_KEYS_MS : COOLDOWN_MS))
      throw new errors.JWKSNoMatchingKey();
    const from = url ?? (await keySetUrlOf(issuer, AbortSignal.timeout(timeoutMs)));
    try {
      const document = await fetchJson(from, AbortSignal.timeout(timeoutMs));
      await checkUsable(document);
      succeededAt = clock.now().getTime();
      latch.worked({ url: loggablePath(from) });
      failure = undefined;
      return Response.json(document);
    } catch (error) {
      const reason = reasonOf(error);
      latch.failed({ url: loggablePath(from), reason });
      failure = `${loggablePath(from)}: ${reason}`;
      // No error of jose, which would be about the token.
      throw new Error(failure, { cause: error });
    } finally {
      endedAt = clock.now().getTime();
    }
  }

  /** Milliseconds since an instant; infinite if the clock was set back to before it. */
  function elapsed(since: number): number {
    const milliseconds = clock.now().getTime() - since;
    return milliseconds < 0 ? Number.POSITIVE_INFINITY : milliseconds;
  }
}

/** Throws where it is no key set, or no key of it can verify a token. */
async function checkUsable(document: unknown): Promise<void> {
  for (const key of createLocalJWKSet(document as JSONWebKeySet).jwks().keys) {
    for (const alg of ALGORITHMS) {
      try {
        await createLocalJWKSet({ keys: [key] })({ alg, ...(key.kid !== undefined && { kid: key.kid }) });
        return;
      } catch {
        // The next algorithm or key may fit.
      }
    }
  }
  throw new Error(`no key of the set can verify ${ALGORITHMS.join(", ")}`);
}

/** fetch hides what happened to the connection in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
