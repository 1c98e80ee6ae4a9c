import type { TestIssuer } from "../support/issuer.ts";

const SCOPE = "quote:create quote:read-own checkout:prepare discovery";
/** Longer than any clock jumps. */
const LIFETIME_SECONDS = 7 * 24 * 3600;

/** One token for each subject, signed when first needed. */
export function createTokens({ sign }: TestIssuer) {
  const tokens = new Map<string, Promise<string>>();
  return {
    token(sub: string): Promise<string> {
      const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
      const known = tokens.get(sub) ?? sign({ sub, scope: SCOPE, exp });
      tokens.set(sub, known);
      return known;
    },
  };
}
