import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from "jose";
import { type Clock, systemClock } from "../../src/ops/clock.ts";
import { aLoopbackServer } from "./loopback-server.ts";

export type SigningAlgorithm = "RS256" | "PS256" | "ES256" | "EdDSA";

interface SignOptions {
  /** Default ES256. Each algorithm has a key of its own. */
  readonly alg?: SigningAlgorithm;
  /** Default: the kid of the key; `null` omits it. */
  readonly kid?: string | null;
  /** Signs with this key instead of the published one. */
  readonly key?: CryptoKey;
  /** Overrides header parameters. */
  readonly header?: Partial<JWTHeaderParameters>;
}

export type TestIssuer = Awaited<ReturnType<typeof startIssuer>>;

interface PublishedKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

const ALGORITHMS: readonly SigningAlgorithm[] = ["RS256", "PS256", "ES256", "EdDSA"];

const METADATA = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)/;

/** A fake identity provider, which publishes keys over real HTTP and signs any token. */
export async function startIssuer(t: Pick<TestContext, "after">, clock: Clock = systemClock) {
  let keys = await newKeys();
  let published: readonly JWK[] | undefined;
  const paths: string[] = [];
  let misbehave: ((res: ServerResponse, proceed: () => void) => unknown) | undefined;

  let metadata: Readonly<Record<string, unknown>> | undefined;
  const origin = await aLoopbackServer(t, (req, res) => {
    const { pathname } = new URL(req.url ?? "/", "http://issuer.test");
    if (METADATA.test(pathname)) {
      if (metadata) res.end(JSON.stringify(metadata));
      else res.writeHead(404).end();
      return;
    }
    paths.push(pathname);
    const proceed = () => {
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify({ keys: published ?? ALGORITHMS.map((alg) => keys[alg].jwk) }));
    };
    if (misbehave) misbehave(res, proceed);
    else proceed();
  });
  const issuer = `${origin}/`;
  const audience = "https://api.transfer.test/";

  return {
    issuer,
    audience,
    /** Of a server that accepts its tokens, also with the packaged catalog, which is a fault. */
    settings: { ...{ TRANSFER_AUTH_ISSUER: issuer, TRANSFER_AUTH_AUDIENCE: audience }, TRANSFER_ACCEPT_FAULTS: "true" },
    jwksUrl: `${origin}/.well-known/jwks.json`,
    /**
     * A token of subject "client-1" for `audience` with scope "quote:create", valid for an hour. `claims` override
     * these; a claim given as `undefined` is omitted.
     */
    async sign(claims: JWTPayload = {}, { alg = "ES256", kid, key, header }: SignOptions = {}): Promise<string> {
      const iat = Math.floor(clock.now().getTime() / 1000);
      const scope = "quote:create";
      const payload = { iss: issuer, aud: audience, sub: "client-1", scope, iat, exp: iat + 3600, ...claims };
      const name = kid === null ? {} : { kid: kid ?? keys[alg].jwk.kid };
      return new SignJWT(payload).setProtectedHeader({ alg, ...name, ...header }).sign(key ?? keys[alg].privateKey);
    },
    /** The published public key. */
    publicKey: async (alg: SigningAlgorithm = "ES256") => keys[alg].jwk,
    /** Replaces all keys: tokens signed from now on have new kids. */
    async rotate() {
      keys = await newKeys();
      published = undefined;
    },
    /** Publishes these keys until the next rotation. */
    publish(jwks: readonly JWK[]) {
      published = jwks;
    },
    /** How many requests for the keys have arrived, answered or not. */
    requests: () => paths.length,
    paths: () => paths as readonly string[],
    /** Publishes metadata of the issuer, which has none by default. */
    describe(document: Readonly<Record<string, unknown>>) {
      metadata = document;
    },
    /** Cuts all connections until `comeBack`. */
    goDown() {
      misbehave = (res) => res.destroy();
    },
    /** Holds requests from now on. The returned function releases them and counts those whose client still waited. */
    hold() {
      const held: { readonly res: ServerResponse; readonly proceed: () => void }[] = [];
      misbehave = (res, proceed) => held.push({ res, proceed });
      return () => {
        const waiting = held.filter(({ res }) => !res.destroyed);
        for (const { proceed } of waiting) proceed();
        return waiting.length;
      };
    },
    answer(status: number, body: string) {
      misbehave = (res) => res.writeHead(status, { "content-type": "application/json" }).end(body);
    },
    comeBack() {
      misbehave = undefined;
    },
  };
}

/** Cached, since generating RSA keys takes long; a rotation only gives them a new kid. */
const rsaPairs = new Map<string, ReturnType<typeof generateKeyPair>>();

function keyPair(alg: SigningAlgorithm): ReturnType<typeof generateKeyPair> {
  const known = rsaPairs.get(alg);
  if (known) return known;
  const made = generateKeyPair(alg, { extractable: true });
  if (alg === "RS256" || alg === "PS256") rsaPairs.set(alg, made);
  return made;
}

async function newKeys(): Promise<Record<SigningAlgorithm, PublishedKey>> {
  const entries = ALGORITHMS.map(async (alg) => {
    const { privateKey, publicKey } = await keyPair(alg);
    const jwk = { ...(await exportJWK(publicKey)), alg, use: "sig", kid: randomUUID() };
    return [alg, { privateKey, jwk }] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<SigningAlgorithm, PublishedKey>;
}
