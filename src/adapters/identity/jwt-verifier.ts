import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import { PublicError } from "../../contract/errors.ts";
import type { Clock } from "../../ops/clock.ts";
import { MINUTE } from "../../ops/durations.ts";
import { sha256 } from "../../ops/ids.ts";
import { ownerOf, type Principal, type Refusal, type TokenVerifier } from "../../service/calls/token-verifier.ts";

/**
 * Finds the public key that a token's header names. Rejects with jose's JWKSNoMatchingKey where none fits, with
 * JWKSMultipleMatchingKeys where several do, and with UPSTREAM_UNAVAILABLE where that cannot be decided.
 */
export type VerificationKeys = JWTVerifyGetKey;

export interface JwtVerifierOptions {
  /** What `iss` must be, character for character. */
  readonly issuer: string;
  /** Accepted audiences: `aud`, or an entry of its list, must be one of them. */
  readonly audience: string | string[];
  /** Scopes that this service uses; others of a token are ignored. Default: all that a token has. */
  readonly scopes?: readonly string[];
  /** Prefix that a token may have before the names of scopes. Default: none. */
  readonly scopePrefix?: string | undefined;
  /** "client-and-subject" distinguishes clients with equal subjects, and rejects tokens that name none. Default: subject. */
  readonly owner?: "subject" | "client-and-subject";
  /** Whether a subject other than the client's own is that of a sign-in without an account. Default: no. */
  readonly subjectsAreSignIns?: boolean;
  readonly keys: VerificationKeys;
  readonly clock: Clock;
  /** How many valid tokens are cached. Default 10,000, about 0.5 kB each. */
  readonly keepTokens?: number;
}

export const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_TOKEN_CHARACTERS = 8_192;
/** The longest subject or client id. */
const MAX_NAME_CHARACTERS = 255;
const MAX_CACHED_MS = 5 * MINUTE;

interface Verified {
  readonly principal: Principal;
  /** Milliseconds since 1970; the entry counts from `from` until just before `until`. */
  readonly from: number;
  readonly until: number;
}

type Claims =
  | { readonly claims: JWTPayload; readonly refusal?: undefined }
  | { readonly claims?: undefined; readonly refusal: Refusal };

/** Verifies JWTs of one issuer. A valid token is cached for 5 minutes, but never past its own `exp`. */
export function createJwtVerifier(options: JwtVerifierOptions): TokenVerifier {
  const { issuer, audience, keys, clock, keepTokens = 10_000 } = options;
  const cached = new LRUCache<string, Verified>({ max: keepTokens });

  return {
    async verify(token, onRefused) {
      const refuse = (refusal: Refusal): undefined => void onRefused?.(refusal);
      if (token.length > MAX_TOKEN_CHARACTERS) return refuse({ reason: "TOKEN_TOO_LONG" });
      const digest = sha256(token, "base64url");
      const now = clock.now();
      const known = cached.get(digest);
      // An entry from the future is not used: the clock was set back, so that its age is unknown.
      if (known && known.from <= now.getTime() && now.getTime() < known.until) return known.principal;

      const { claims, refusal } = await verifiedClaims(token, now, CLOCK_TOLERANCE_SECONDS);
      if (refusal) return refuse(refusal);
      const principal = principalOf(claims, options);
      if ("reason" in principal) return refuse(principal);
      const until = Math.min((claims.exp ?? 0) * 1000, now.getTime() + MAX_CACHED_MS);
      cached.set(digest, { principal, from: now.getTime(), until });
      return principal;
    },
    async isGenuine(token) {
      if (token.length > MAX_TOKEN_CHARACTERS) return false;
      return !(await verifiedClaims(token, clock.now(), Number.MAX_SAFE_INTEGER)).refusal;
    },
  };

  /** The claims of an authentic token for us that is valid within the tolerance, in seconds; otherwise why it is not. */
  async function verifiedClaims(token: string, currentDate: Date, clockTolerance: number): Promise<Claims> {
    const options = {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      requiredClaims: ["exp", "sub"],
      clockTolerance,
      currentDate,
    };
    try {
      return { claims: (await jwtVerify(token, keys, options)).payload };
    } catch (error) {
      if (error instanceof PublicError) throw error;
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return { refusal: refusalOf(error) };
      let last: unknown = error;
      for await (const key of error) {
        try {
          return { claims: (await jwtVerify(token, key, options)).payload };
        } catch (mismatch) {
          last = mismatch;
        }
      }
      return { refusal: refusalOf(last) };
    }
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    const { code, claim, payload } = error;
    const found =
      claim === "aud" || claim === "iss" ? JSON.stringify(payload[claim])?.slice(0, MAX_NAME_CHARACTERS) : undefined;
    return { reason: code, claim, ...(found !== undefined && { found }) };
  }
  return { reason: error instanceof errors.JOSEError ? error.code : "NOT_A_TOKEN" };
}

function principalOf(claims: JWTPayload, options: JwtVerifierOptions): Principal | Refusal {
  const { scopes: known, scopePrefix = "", owner = "subject", subjectsAreSignIns } = options;
  const { sub: subject, scope, scp, client_id, azp, cid, appid } = claims;
  const scopes = scopesOf(scope ?? scp);
  if (!isName(subject)) return { reason: "CLAIM_INVALID", claim: "sub" };
  if (!scopes) return { reason: "CLAIM_INVALID", claim: scope === undefined ? "scp" : "scope" };
  // RFC 9068 has client_id; OpenID Connect azp, Okta cid, and Entra's first version appid.
  const named = client_id ?? azp ?? cid ?? appid;
  const client = isName(named) ? named : undefined;
  if (owner === "client-and-subject" && client === undefined) return { reason: "CLAIM_INVALID", claim: "client_id" };
  return {
    subject,
    owner: ownerOf(owner, subject, client),
    ...(client !== undefined && { client }),
    ...(subjectsAreSignIns && subject !== client && { isSignIn: true }),
    scopes: new Set(known?.filter((each) => scopes.includes(each) || scopes.includes(scopePrefix + each)) ?? scopes),
  };
}

function isName(claim: unknown): claim is string {
  return typeof claim === "string" && claim !== "" && claim.length <= MAX_NAME_CHARACTERS;
}

/** The scopes of a `scope` or `scp` claim, which may be absent, a space-separated string or a list; `undefined` for all else. */
function scopesOf(claim: unknown): readonly string[] | undefined {
  const list = typeof claim === "string" ? claim.split(" ") : (claim ?? []);
  return Array.isArray(list) && list.every((scope) => typeof scope === "string") ? list.filter(Boolean) : undefined;
}
