/** The caller that an authentic token names. */
export interface Principal {
  /** Token subject (`sub`), never empty. */
  readonly subject: string;
  /** The owner of quotes, idempotency keys and budgets. Default: the subject. */
  readonly owner?: string;
  /** The client that the token was issued to, where it names one. */
  readonly client?: string;
  readonly scopes: ReadonlySet<string>;
}

/** Decides whether a bearer token is authentic, current and meant for this service. */
export interface TokenVerifier {
  /**
   * The token's principal, or `undefined` for a token that is not valid, whatever the cause. Throws
   * UPSTREAM_UNAVAILABLE where that cannot be decided because the identity provider's keys are unavailable.
   */
  verify(token: string): Promise<Principal | undefined>;
  /**
   * Whether the issuer signed a token for this service, also where it has expired or is not valid yet. Throws as `verify`
   * does.
   */
  isGenuine(token: string): Promise<boolean>;
}
