import type { OAuthServer } from "../../../rest-shim/openapi.ts";
import type { DevelopmentKeys, MintToken } from "../../adapters/identity/development/keys.ts";
import type { VerificationKeys } from "../../adapters/identity/jwt-verifier.ts";
import { type Clock, systemClock } from "../../ops/clock.ts";
import type { ServiceLog } from "../../ops/log.ts";
import { originsOf } from "../../ops/loopback.ts";
import type { Opened } from "../../ops/opened.ts";
import type { Mount } from "../../servers/http/app.ts";
import { type Operator, SCOPES } from "../../service/calls/operation.ts";
import type { RateLimiter } from "../../service/calls/rate-limiter.ts";
import {
  DEVELOPMENT_CLIENT_ID,
  ownerOf,
  type Principal,
  type TokenVerifier,
} from "../../service/calls/token-verifier.ts";
import { type Config, issuerOf } from "../config/config.ts";
import type { Site } from "./compose.ts";
import { inDataFolder } from "./compose-storage.ts";

/** Where tokens come from and how they are verified. */
export interface Identity {
  readonly issuer: string;
  /** The audience that clients are told to ask for. Tokens for the MCP endpoint's address are accepted as well. */
  readonly audience: string;
  readonly tokens: TokenVerifier;
  /** The endpoints of an issuer of our own, in a process that serves HTTP. */
  readonly mounts?: readonly Mount[];
  /** The demo client, in a process that serves the development issuer, and the endpoints for it. */
  readonly demo?: { readonly clientSecret: string; readonly oauth: OAuthServer };
  /** Makes a token of the development issuer. Absent with another one, and over stdio without a token. */
  readonly mint?: MintToken;
  /** Who calls over stdio without a token. Absent without the development issuer. */
  readonly localDeveloper?: Principal;
  ping(): Promise<void>;
}

export interface IdentityParts {
  readonly clock: Clock;
  readonly log: ServiceLog;
  readonly limiter: Pick<RateLimiter, "charge">;
  /** Whom pages of the embedded issuer name. */
  readonly operatorIn: (language?: string) => Operator;
}

/** An identifier in the form of a URL; nothing is fetched from it. */
const DEVELOPMENT_AUDIENCE = "https://transfer-quote.example/api";

/** The external identity provider, the embedded issuer, or the development issuer where neither is configured. */
export async function composeIdentity(
  config: Config,
  site: Site,
  parts: IdentityParts,
  opened: Opened,
): Promise<Identity> {
  const { authIssuer, authScopePrefix: scopePrefix, owner } = config;
  const { clock, log } = parts;
  const kind = issuerOf(config);
  const audiences = audiencesOf(config, site.issuerOrigin);
  const [audience] = audiences;
  const acceptedResources = [...audiences, ...originsOf(site.publicUrl)];
  // What verifies and signs is imported where a caller may have a token: most processes over stdio have none.
  if (authIssuer !== undefined) {
    const { createRemoteKeys } = await import("../../adapters/identity/remote-keys.ts");
    const keys = createRemoteKeys({ issuer: authIssuer, url: config.authJwksUrl, log, clock });
    return { issuer: authIssuer, audience, tokens: await verifying(authIssuer, keys), ping: keys.check };
  }
  if (kind === "embedded") {
    const { openEmbeddedIssuer } = await import("./compose-embedded-issuer.ts");
    const issuer = `${site.issuerOrigin}/auth`;
    const embedded = await openEmbeddedIssuer(config, { ...parts, issuer, audience, acceptedResources }, opened);
    const tokens = await verifying(issuer, embedded.keys, true);
    return { issuer, audience, tokens, async ping() {}, ...(site.servesHttp && { mounts: embedded.mounts }) };
  }
  const issuer = developmentIssuerUrl(site.issuerOrigin);
  const [subject, client] = ["local-developer", DEVELOPMENT_CLIENT_ID];
  const localDeveloper = { subject, owner: ownerOf(owner, subject, client), client, scopes: new Set(SCOPES) };
  const own = { issuer, audience, localDeveloper, async ping() {} };
  // Over stdio callers have no token, nor has the browser that opens the traveler's page.
  if (!site.servesHttp && config.accessToken === undefined)
    return { ...own, tokens: { verify: async () => undefined, isGenuine: async () => false } };
  const { publicKeyOf } = await import("../../adapters/identity/issuer/signing-key.ts");
  const { keys, mint } = await mintOffline(config, site.issuerOrigin, clock);
  const tokens = await verifying(issuer, publicKeyOf(keys.signingKey));
  return { ...own, tokens, mint, ...(site.servesHttp && (await developmentServer(keys))) };

  async function verifying(issuer: string, keys: VerificationKeys, isEmbedded = false) {
    const { createJwtVerifier } = await import("../../adapters/identity/jwt-verifier.ts");
    const options = { audience: [...audiences], scopes: SCOPES, scopePrefix, owner, clock };
    return createJwtVerifier({ ...options, issuer, keys, subjectsAreSignIns: isEmbedded });
  }

  async function developmentServer(keys: DevelopmentKeys): Promise<Pick<Identity, "mounts" | "demo">> {
    const { issuerMounts, requireLoopback } = await import("../../adapters/identity/issuer/mounts.ts");
    /** Imported at the first request, because the library takes 10 MB and most processes never give a token. */
    const mounts = issuerMounts(issuer, requireLoopback, async () => {
      const { createDevelopmentIssuer } = await import("../../adapters/identity/development/issuer.ts");
      const registration = config.devRegistration;
      return createDevelopmentIssuer({ issuer, audience, acceptedResources, scopes: SCOPES, keys, registration, log });
    });
    const endpoints = { authorizationUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/oauth/token` };
    const oauth = { ...endpoints, clientId: DEVELOPMENT_CLIENT_ID, audience };
    return { mounts, demo: { clientSecret: keys.clientSecret, oauth } };
  }
}

/** Makes tokens that a server with this configuration accepts, without asking that server. */
export async function mintOffline(config: Config, publicUrl: string, clock = systemClock) {
  const { createMint, loadDevelopmentKeys } = await import("../../adapters/identity/development/keys.ts");
  const keys = await inDataFolder(config.dataDir, () => loadDevelopmentKeys(config.dataDir));
  const [audience] = audiencesOf(config, publicUrl);
  const issuer = developmentIssuerUrl(publicUrl);
  return { mint: createMint(keys, issuer, audience, clock), issuer, keys };
}

/** Every audience that is accepted, the one to ask for first, the MCP endpoint's addresses last. */
function audiencesOf(config: Config, origin: string): readonly [string, ...string[]] {
  const ofMcp = originsOf(origin).map((each) => `${each}/mcp`);
  const preset = issuerOf(config) === "embedded" ? `${origin}/mcp` : DEVELOPMENT_AUDIENCE;
  const [first = preset, ...others] = config.authAudiences ?? [];
  return [first, ...others, ...ofMcp];
}

function developmentIssuerUrl(publicUrl: string): string {
  return `${publicUrl}/dev-auth`;
}
