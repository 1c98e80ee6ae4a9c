import type { IncomingMessage, ServerResponse } from "node:http";
import type { Log } from "../ops/log.ts";
import { DEVELOPMENT_CLIENT_ID, type DevelopmentKeys } from "./development-keys.ts";
import { createDevelopmentParameters } from "./development-parameters.ts";
import { createDevelopmentProvider } from "./development-provider.ts";
import { readFields, refuse, rewritten, splitTarget } from "./development-request.ts";

export interface DevelopmentIssuerOptions {
  /** Origin under which callers reach the server, without a slash at the end. */
  readonly publicUrl: string;
  /** `aud` of every token. An absolute URI. */
  readonly audience: string;
  /** RFC 8707 resources that mean the same as `audience`, e.g. `<publicUrl>/mcp`. */
  readonly acceptedResources: readonly string[];
  readonly scopes: readonly string[];
  readonly keys: DevelopmentKeys;
  readonly log: Log;
}

/** As Express and Connect call it; hands on to `next` what is not its own. */
export type Handler = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

export interface DevelopmentIssuer {
  /** `iss` of its tokens, `<publicUrl>/dev-auth`. */
  readonly issuer: string;
  /** To be mounted at `/dev-auth`. */
  readonly handler: Handler;
  /** To be mounted at the root: the metadata documents where RFC 8414 puts them for an issuer with a path. */
  readonly wellKnown: Handler;
  readonly clientId: string;
  readonly clientSecret: string;
}

const MOUNT = "/dev-auth";
const DOCUMENTS = "/.well-known/(?:openid-configuration|oauth-authorization-server)";
const ROOT_DOCUMENT = new RegExp(`^(${DOCUMENTS})${MOUNT}$`);
const READABLE = new RegExp(`^(?:GET|HEAD|OPTIONS) (?:${DOCUMENTS}|/\\.well-known/jwks\\.json)$`);
const PASSED_ON = new RegExp(`${READABLE.source}|^GET /authorize/[\\w-]+$|^OPTIONS /oauth/token$`);
const INTERACTION = /^GET \/interaction\/[\w-]+$/;
/** Who signs in: the person at this machine, without being asked. */
const PERSON = "demo-traveler-agent";

/**
 * A real OAuth 2.0 server for a laptop: client credentials, and authorization code with PKCE, for one demo client.
 * What it keeps is lost with the process. It refuses nobody who can reach it, so it is for loopback addresses only.
 */
export async function createDevelopmentIssuer(options: DevelopmentIssuerOptions): Promise<DevelopmentIssuer> {
  const { publicUrl, audience, acceptedResources, scopes, keys, log } = options;
  const { clientSecret } = keys;
  const issuer = `${publicUrl}${MOUNT}`;
  const provider = await createDevelopmentProvider({ issuer, audience, scopes, keys, log });
  const answer = provider.callback();
  const translate = createDevelopmentParameters({ audience, acceptedResources, scopes, clientSecret });

  return {
    issuer,
    clientId: DEVELOPMENT_CLIENT_ID,
    clientSecret,
    handler(req, res, next) {
      serve(req, res).then((served) => served || next(), next);
    },
    wellKnown(req, res, next) {
      const path = ROOT_DOCUMENT.exec(splitTarget(req.url).path)?.[1];
      if (path && READABLE.test(`${req.method} ${path}`)) answer(rewritten(req, MOUNT, path), res);
      else next();
    },
  };

  /** Whether the request was one of ours; then it is answered. */
  async function serve(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const { path, query } = splitTarget(req.url);
    const call = `${req.method} ${path}`;
    if (call === "POST /oauth/token") await answerToken(req, res);
    else if (call === "GET /authorize") {
      const parameters = new URLSearchParams(query);
      translate.authorize(parameters);
      await answer(rewritten(req, MOUNT, `${path}?${parameters}`), res);
    } else if (INTERACTION.test(call)) await signIn(req, res);
    else if (PASSED_ON.test(call)) await answer(rewritten(req, MOUNT, path), res);
    else return false;
    return true;
  }

  async function answerToken(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const fields = await readFields(req, res);
    if (!fields) return refuse(res, "the body must be a JSON object or a form, of at most 16 KiB");
    translate.token(fields, req.headers.authorization !== undefined);
    await answer(rewritten(req, MOUNT, "/oauth/token", String(fields)), res);
  }

  /** Finishes login and consent at once; what is granted is limited by what the client asked for. */
  async function signIn(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const interaction = await provider.interactionDetails(req, res).catch(() => undefined);
    if (!interaction) return refuse(res, "this sign-in has ended; start again at the client");
    const grant = new provider.Grant({ accountId: PERSON, clientId: DEVELOPMENT_CLIENT_ID });
    grant.addOIDCScope("openid offline_access");
    grant.addResourceScope(audience, scopes.join(" "));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(req, res, { login: { accountId: PERSON }, consent });
  }
}
