import { randomBytes } from "node:crypto";
import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import type { Clock } from "../../../ops/clock.ts";
import { DAY } from "../../../ops/durations.ts";
import { sha256 } from "../../../ops/ids.ts";
import { addressKey, type RateLimiter } from "../../../service/calls/rate-limiter.ts";
import type { Consent } from "../../../service/calls/token-verifier.ts";
import { createIssuer, type IssuerOptions, type SignIn } from "../issuer/issuer.ts";
import { findClient, isAdmitted, isSecret } from "./credentials.ts";
import { ISSUER_KINDS, type IssuerKind, type IssuerStore, type loadIssuerSecrets, StoreFull } from "./issuer-store.ts";

export interface EmbeddedIssuerOptions
  extends Pick<IssuerOptions, "issuer" | "audience" | "acceptedResources" | "scopes" | "log"> {
  readonly store: IssuerStore;
  readonly secrets: Awaited<ReturnType<typeof loadIssuerSecrets>>;
  readonly limiter: Pick<RateLimiter, "charge">;
  /** Sends the page that asks the person; its form posts `answer`, "allow" or any other, to the page's own address. */
  readonly askConsent: (consent: Consent, request: Request, response: Response) => void;
  readonly clock: Clock;
}

/**
 * The issuer of an operator without an identity provider, on a public address over https. Clients are credentials that the
 * operator has issued. There are no accounts: each sign-in asks the person once, and has a subject of its own.
 */
export function createEmbeddedIssuer(options: EmbeddedIssuerOptions): Router {
  const { scopes, store, secrets, limiter, askConsent, clock } = options;
  const { provider, router, signInOf, approve } = createIssuer({
    ...options,
    signingKey: secrets.signingKey,
    differences: {
      cookieKey: secrets.cookieKey,
      adapter: createLibraryAdapter(store, clock),
      seconds: { interaction: 600, session: 600, refreshToken: (30 * DAY) / 1000, grant: (90 * DAY) / 1000 },
      // Pages of a host that runs in the browser.
      allowsOrigin: (origin, { redirectUris = [] }) => redirectUris.some((each) => new URL(each).origin === origin),
      admits: (clientId) => isAdmitted(store, new URL(clientId).host),
      more: {
        // Whatever scopes a client asks for: a host that has to ask again every hour is of no use.
        issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
        // No session is kept.
        expiresWithSession: async () => false,
      },
    },
    noRegistration: "the operator issues credentials on request",
    // As with tokens: the right secret still works.
    isGuessing: ({ ip = "" }) =>
      limiter.charge("auth_failure", addressKey(ip)).then(
        () => false,
        () => true,
      ),
  });
  provider.proxy = true;
  // The hook that the library has for secrets that are kept as a hash.
  provider.Client.prototype.compareClientSecret = function (secret) {
    return isSecret(secret, this.clientSecret);
  };

  const limited = express.Router();
  limited.use(["/authorize", "/oauth/token"], charge("discovery"));
  limited.get("/interaction/:uid", charge("discovery"), async (request, response) => {
    const signIn = await signInOf(request, response);
    if (signIn) askConsent(consentOf(signIn), request, response);
  });
  // Each grant is kept for months.
  limited.post(
    "/interaction/:uid",
    charge("quote_authoritative"),
    express.urlencoded({ limit: "1kb", extended: false }),
    async (request, response) => {
      const signIn = await signInOf(request, response);
      if (!signIn) return;
      if (request.body?.answer === "allow") return approve(signIn, newSubject(), request, response);
      const result = { error: "access_denied", error_description: "the person has declined" };
      await provider.interactionFinished(request, response, result);
    },
  );
  limited.use(router);
  return limited;

  function charge(tier: "discovery" | "quote_authoritative"): RequestHandler {
    return (request, _response, next) =>
      void limiter.charge(tier, addressKey(request.ip ?? "")).then(() => next(), next);
  }

  function consentOf({ params }: SignIn): Consent {
    const [id, redirect] = [String(params.client_id), new URL(String(params.redirect_uri))];
    const asked = String(params.scope ?? "").split(" ");
    return {
      client: URL.canParse(id) ? new URL(id).host : id,
      returnsTo: redirect.origin === "null" ? redirect.protocol : redirect.origin,
      scopes: scopes.filter((scope) => asked.includes(scope)),
    };
  }
}

/** Of a grant: quotes and budgets are its own, and nothing tells whose it is. */
function newSubject(): string {
  return randomBytes(16).toString("base64url");
}

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
function createLibraryAdapter(store: IssuerStore, clock: Clock): (model: string) => Adapter {
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
