import { randomBytes } from "node:crypto";
import { z } from "zod/v3";
import { keptSecrets, newSigningKey, SigningKey } from "../issuer/signing-key.ts";

/** What the embedded issuer keeps. A client is a credential that the operator has issued. */
export const ISSUER_KINDS = ["Client", "Grant", "RefreshToken", "AuthorizationCode", "Interaction"] as const;
export type IssuerKind = (typeof ISSUER_KINDS)[number];

/** Most records of a kind, so that sign-ins which nobody finishes cannot fill the store. */
export const MOST_OF_A_KIND = 100_000;

export interface IssuerRecord {
  /** JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970; `undefined` for ever. */
  readonly expiresAt: number | undefined;
}

export interface KeptRecord extends IssuerRecord {
  /** Unique within its kind: 43 characters of base64url. */
  readonly key: string;
  /** Whether it has been used, which is possible once. */
  readonly isConsumed: boolean;
}

/**
 * Where the embedded issuer keeps its records, shared by all processes of a deployment and the command `credentials`.
 * What a method has done is durable when it resolves. Every implementation must pass
 * `test/ports/issuer-store.contract.ts`.
 */
export interface IssuerStore {
  /** The issuer's secrets: those of the process that asked first, which made them. */
  secrets(create: () => Promise<string>): Promise<string>;
  /** `undefined` where there is none, or it has expired. */
  find(kind: IssuerKind, key: string): Promise<KeptRecord | undefined>;
  /** All that have not expired, in no order. */
  list(kind: IssuerKind): Promise<readonly KeptRecord[]>;
  /** Adds it; `false`, and nothing, if there is one with its key. Of processes at the same time one succeeds. */
  add(kind: IssuerKind, key: string, record: IssuerRecord): Promise<boolean>;
  /** Adds or replaces it. Rejects with StoreFull where it would be one too many of its kind. */
  save(kind: IssuerKind, key: string, record: IssuerRecord): Promise<void>;
  /** Notes that it has been used; `false` if it had been, or is gone. Of processes at the same time one succeeds. */
  consume(kind: IssuerKind, key: string): Promise<boolean>;
  remove(kind: IssuerKind, key: string): Promise<void>;
  close(): Promise<void>;
}

/** There are `MOST_OF_A_KIND` records of the kind. */
export class StoreFull extends Error {
  override readonly name = "StoreFull";
}

const IssuerSecrets = z.object({
  signingKey: SigningKey,
  /** Signs the cookies of a sign-in. */
  cookieKey: z.string().min(32),
});

/** What the embedded issuer signs with, created at the first start. Throws an Error where it is damaged. */
export async function loadIssuerSecrets(store: IssuerStore): Promise<z.output<typeof IssuerSecrets>> {
  const text = await store.secrets(async () => {
    const secrets = { signingKey: await newSigningKey(), cookieKey: randomBytes(32).toString("base64url") };
    return `${JSON.stringify(secrets)}\n`;
  });
  const damaged = "The keys of the embedded issuer are damaged: restore a backup, or delete them and sign in again.";
  return keptSecrets(IssuerSecrets, text, damaged);
}
