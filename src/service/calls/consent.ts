/** What a person is asked at a sign-in. All are texts. */
export interface Consent {
  /** The client: the name of its credential, or the host of its metadata document. */
  readonly client: string;
  /** Where the browser goes afterwards: an origin, or a scheme such as "cursor:". */
  readonly returnsTo: string;
  /** Scopes that the client asks for. */
  readonly scopes: readonly string[];
}
