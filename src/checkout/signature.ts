import { createHmac, timingSafeEqual } from "node:crypto";

/** What a continuation link vouches for. */
export interface SignedTerms {
  readonly quoteId: string;
  readonly fleetId: number;
  /** ISO 8601 UTC. */
  readonly expiresAt: string;
}

export interface LinkSigner {
  /** base64url of HMAC-SHA-256 by the first secret; 43 characters. */
  sign(terms: SignedTerms): string;
  /** Whether any of the secrets made this signature. Takes the same time whatever is wrong with it. */
  verify(terms: SignedTerms, signature: string): boolean;
}

/** `secrets`: the first signs, all verify, so that links outlive a rotation. At least one. */
export function createLinkSigner(secrets: readonly string[]): LinkSigner {
  const [current = ""] = secrets;
  if (current === "") throw new Error("a checkout secret is needed");

  return {
    sign: (terms) => macOf(terms, current),

    verify(terms, signature) {
      // Compared as text: several base64url texts decode to the same bytes, and only one of them was handed out.
      const given = Buffer.from(signature);
      // No short cut at the first match, and one comparison a secret.
      const matches = secrets.map((secret) => {
        const mac = Buffer.from(macOf(terms, secret));
        return given.length === mac.length && timingSafeEqual(given, mac);
      });
      return matches.includes(true);
    },
  };
}

function macOf({ quoteId, fleetId, expiresAt }: SignedTerms, secret: string): string {
  return createHmac("sha256", secret).update(`${quoteId}\n${fleetId}\n${expiresAt}`).digest("base64url");
}
