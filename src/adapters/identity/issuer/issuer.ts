import cors from "cors";
import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from "express";
import Provider, { type KoaContextWithOIDC } from "oidc-provider";
import type { Log } from "../../../ops/log.ts";
import { type Differences, issuerConfiguration } from "./configuration.ts";
import type { SigningKey } from "./signing-key.ts";

export interface IssuerOptions {
  /** `iss` of its tokens. The router is mounted at the path of this URL. */
  readonly issuer: string;
  /** `aud` of its tokens. An absolute URI. */
  readonly audience: string;
  /** Further resources (RFC 8707) that mean the same as `audience`. */
  readonly acceptedResources: readonly string[];
  readonly scopes: readonly string[];
  readonly signingKey: SigningKey;
  readonly differences: Differences;
  /** Why clients cannot register, where they cannot. */
  readonly noRegistration: string;
  /** Changes the parameters of a token request. Default: leaves them. */
  readonly completeToken?: (fields: URLSearchParams, request: Request) => void;
  /** Counts a failed authentication of a client; whether its address has had too many. Default: does not count. */
  readonly isGuessing?: (request: Request) => Promise<boolean>;
  readonly log: Log;
}

const METADATA = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];
const JWKS = "/.well-known/jwks.json";
const RESPONSE_MODES = ["query", "fragment"];

/** A sign-in in progress. */
export type SignIn = Awaited<ReturnType<Provider["interactionDetails"]>>;

/**
 * An OAuth 2.0 server: client credentials, and authorization code with PKCE. The router lacks the step of a sign-in that
 * asks the person, which its owner adds at `/interaction/:uid`; it is to be mounted with `issuerMounts`.
 */
export function createIssuer(options: IssuerOptions) {
  const { issuer, audience, acceptedResources, scopes, differences, completeToken, isGuessing, log } = options;
  const { registration = false } = differences;
  const provider = new Provider(issuer, issuerConfiguration(options, new URL(issuer).pathname));
  provider.on("server_error", (_ctx, { message }) => log.error({ reason: message }, "The issuer failed."));
  provider.use(async (ctx, next) => {
    await next();
    const { route } = (ctx as KoaContextWithOIDC).oidc ?? {};
    if (route === "discovery") Object.assign(ctx.body as object, metadata());
    if (route === "token" && ctx.status === 401 && (await isGuessing?.(ctx.req as Request))) {
      ctx.status = 429;
      ctx.body = { error: "temporarily_unavailable", error_description: "too many failed authentications" };
    }
  });
  const known = new Set([audience, ...acceptedResources].map(hrefOf));
  const serve = provider.callback();

  const router: Router = express.Router();
  router.get([...METADATA, JWKS, "/authorize/:uid"], serve);
  router.options([...METADATA, JWKS, "/oauth/token"], serve);
  router.get("/authorize", completeQuery, serve);
  router.post("/oauth/token", READ_BODY, rejectUnreadable, completeBody, serve);
  router.use("/register", cors({ methods: ["POST"] }));
  router.post("/register", registration ? serve : rejectRegistration);
  return {
    provider,
    router,

    /** The sign-in of this browser; `undefined` after a response that says that there is none. */
    async signInOf(request: Request, response: Response): Promise<SignIn | undefined> {
      const signIn = await provider.interactionDetails(request, response).catch(() => undefined);
      if (signIn?.uid === request.params.uid) return signIn;
      reject(response, "this sign-in has ended; start again at the client");
      return undefined;
    },

    /** Ends a sign-in as this person; what is granted is limited by what the client asked for. */
    async approve(signIn: SignIn, accountId: string, request: Request, response: Response): Promise<void> {
      const grant = new provider.Grant({ accountId, clientId: String(signIn.params.client_id) });
      grant.addOIDCScope([...scopes, "openid", "offline_access"].join(" "));
      grant.addResourceScope(audience, scopes.join(" "));
      const consent = { grantId: await grant.save() };
      await provider.interactionFinished(request, response, { login: { accountId }, consent });
    },
  };

  function rejectRegistration(_request: Request, response: Response): void {
    reject(response, `clients cannot register: ${options.noRegistration}`, 404);
  }

  /** Clients compare these with the issuer; the library derives them from the Host header of the request. */
  function metadata(): object {
    return {
      authorization_endpoint: provider.urlFor("authorization"),
      token_endpoint: provider.urlFor("token"),
      jwks_uri: provider.urlFor("jwks"),
      ...(registration && { registration_endpoint: provider.urlFor("registration") }),
      response_modes_supported: RESPONSE_MODES,
    };
  }

  function completeQuery(request: Request, response: Response, next: NextFunction): void {
    const [path, query] = request.url.split("?", 2);
    const parameters = new URLSearchParams(query);
    const mode = parameters.get("response_mode") ?? "query";
    if (!RESPONSE_MODES.includes(mode)) return reject(response, `response_mode is ${mode}; use query`);
    complete(parameters, true);
    // Clients of MCP 2025-03-26 send no resource.
    if (!parameters.has("resource")) parameters.set("resource", audience);
    request.url = `${path}?${parameters}`;
    next();
  }

  /** Accepts JSON as well as forms, which the library does not. */
  function completeBody(request: Request, response: Response, next: NextFunction): void {
    const { headers } = request;
    const fields = parametersOf(request);
    if (!fields) return reject(response, UNREADABLE);
    complete(fields, fields.get("grant_type") === "client_credentials");
    completeToken?.(fields, request);
    // The library takes the body of a request that has been read, and warns of it once.
    request.body = fields.toString();
    headers["content-type"] = "application/x-www-form-urlencoded";
    next();
  }

  /** `audience` (as Auth0 calls it) and `resource` mean the same; unknown ones stay, for the library to reject. */
  function complete(parameters: URLSearchParams, asksForScopes: boolean): void {
    const names = [...parameters.getAll("audience"), ...parameters.getAll("resource")].filter(Boolean);
    parameters.delete("audience");
    parameters.delete("resource");
    const targets = new Set(names.map((name) => (known.has(hrefOf(name)) ? audience : name)));
    for (const target of targets) parameters.append("resource", target);
    // A request that names no scope asks for all of them (RFC 6749, 3.3).
    if (asksForScopes && !parameters.get("scope")?.trim()) parameters.set("scope", scopes.join(" "));
  }
}

/** A URL in its normal form: some clients add a slash after the host. */
function hrefOf(name: string): string {
  return URL.canParse(name) ? new URL(name).href : name;
}

/** An OAuth error of a request that does not reach the library. */
function reject(response: Response, detail: string, status = 400): void {
  response.status(status).set("Cache-Control", "no-store");
  response.json({ error: "invalid_request", error_description: detail });
}

const READ_BODY = [express.json({ limit: "16kb" }), express.urlencoded({ limit: "16kb", extended: false })];
const UNREADABLE = "the body must be a JSON object or a form, of at most 16 KiB";

const rejectUnreadable: ErrorRequestHandler = (_error, _request, response, _next) => reject(response, UNREADABLE);

/** The parameters of a JSON object or a form; `undefined` where the body is neither. */
function parametersOf({ body = [] }: Request): URLSearchParams | undefined {
  if (Array.isArray(body)) return undefined;
  // A form can name a resource repeatedly.
  const fields = Object.entries(body).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === "string"));
}
