/** The registered client of the development issuer. */
export const DEVELOPMENT_CLIENT_ID = "demo";

/** The caller that an authentic token names. */
export interface Principal {
  /** Token subject (`sub`), never empty. */
  readonly subject: string;
  /** The owner of quotes, idempotency keys and budgets. */
  readonly owner: string;
  /** The client that the token was issued to, where it names one. */
  readonly client?: string;
  readonly scopes: ReadonlySet<string>;
  /** The subject is that of a sign-in without an account, of which anybody can have many: its address counts as well. */
  readonly isSignIn?: boolean;
}

/** "client-and-subject" distinguishes clients with equal subjects. */
export function ownerOf(kind: "subject" | "client-and-subject", subject: string, client: string | undefined): string {
  return kind === "subject" ? subject : JSON.stringify([client, subject]);
}

/** Why a token is refused, for the operator's log alone. It contains nothing of the token except `found`. */
export interface Refusal {
  /** A code of jose, or one of ours. */
  readonly reason: string;
  /** The claim that is missing or wrong. */
  readonly claim?: string;
  /** Issuer or audience of a token that the provider has signed, at most 255 characters. */
  readonly found?: string;
  /** The scope that a valid token lacks. */
  readonly scope?: string;
}

/** Decides whether a bearer token is authentic, current and meant for this service. */
export interface TokenVerifier {
  /**
   * The token's principal, or `undefined` for a token that is not valid, with the cause to `onRefused`. Throws
   * UPSTREAM_UNAVAILABLE where that cannot be decided because the identity provider's keys are unavailable.
   */
  verify(token: string, onRefused?: (refusal: Refusal) => void): Promise<Principal | undefined>;
  /**
   * Whether the issuer signed a token for this service, also where it has expired or is not valid yet. Throws as `verify`
   * does.
   */
  isGenuine(token: string): Promise<boolean>;
}

/** What a person is asked at a sign-in. All are texts. */
export interface Consent {
  /** The client: the name of its credential, or the host of its metadata document. */
  readonly client: string;
  /** Where the browser goes afterwards: an origin, or a scheme such as "cursor:". */
  readonly returnsTo: string;
  /** Scopes that the client asks for. */
  readonly scopes: readonly string[];
}
