import { DEVELOPMENT_CLIENT_ID } from "./development-keys.ts";

export interface DevelopmentParameterRules {
  /** What tokens are issued for, and the first name a caller may give it. */
  readonly audience: string;
  /** Other names of the same thing, e.g. the address of the MCP endpoint. */
  readonly acceptedResources: readonly string[];
  readonly scopes: readonly string[];
  readonly clientSecret: string;
}

/**
 * Translates what the public document and MCP clients send into what the OAuth server understands. Both functions
 * change the parameters they are given.
 */
export function createDevelopmentParameters(rules: DevelopmentParameterRules) {
  const { audience, acceptedResources, scopes, clientSecret } = rules;
  const known = new Set([audience, ...acceptedResources].map(asHref));

  return {
    authorize(parameters: URLSearchParams): void {
      nameResource(parameters);
      nameScopes(parameters);
    },

    /** `hasAuthorization`: the client authenticates in the Authorization header. */
    token(parameters: URLSearchParams, hasAuthorization: boolean): void {
      nameResource(parameters);
      if (parameters.get("grant_type") === "client_credentials") nameScopes(parameters);
      else if (!hasAuthorization) completeSecret(parameters);
    },
  };

  /** `audience` (as Auth0 names it) and `resource` (RFC 8707) are one thing; unknown ones stay and are refused later. */
  function nameResource(parameters: URLSearchParams): void {
    const named = [...parameters.getAll("audience"), ...parameters.getAll("resource")].filter(
      (name) => name !== "",
    );
    parameters.delete("audience");
    parameters.delete("resource");
    const targets = new Set(named.map((name) => (known.has(asHref(name)) ? audience : name)));
    for (const target of targets) parameters.append("resource", target);
  }

  /** A request that names no scope asks for all (RFC 6749, 3.3 leaves the default to the server). */
  function nameScopes(parameters: URLSearchParams): void {
    if (!parameters.get("scope")?.trim()) parameters.set("scope", scopes.join(" "));
  }

  /**
   * The demo client has one registration, with a secret. A code, which PKCE already ties to who asked for it, it may
   * redeem as a public client too, as the document shows: then its secret is filled in here. A wrong one is not.
   */
  function completeSecret(parameters: URLSearchParams): void {
    if (parameters.get("client_id") !== DEVELOPMENT_CLIENT_ID || parameters.get("client_secret")) return;
    parameters.set("client_secret", clientSecret);
  }
}

/** Clients write a URL as they parsed it, e.g. with a slash after the host. */
function asHref(name: string): string {
  return URL.canParse(name) ? new URL(name).href : name;
}
