import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ClientMetadata } from "oidc-provider";
import { z } from "zod/v3";
import { sha256 } from "../../../ops/ids.ts";
import type { IssuerStore, KeptRecord } from "./issuer-store.ts";

/** What a credential is for: a partner's machine, a host with registered redirects, or hosts with a metadata document. */
const Purpose = z.discriminatedUnion("kind", [
  /** The hash of its secret. */
  z.object({ kind: z.literal("machine"), secretHash: z.string() }),
  z.object({ kind: z.literal("redirect"), redirects: z.array(z.string()).nonempty() }),
  /** Host, with a port unless it is 443, of the metadata documents' addresses. */
  z.object({ kind: z.literal("host"), host: z.string() }),
]);
const Credential = z.object({
  name: z.string(),
  purpose: Purpose,
  /** RFC 3339. */
  createdAt: z.string(),
  /** RFC 3339; `null` while it is in force. A name is given once, so that nobody inherits the quotes of another. */
  revokedAt: z.string().nullable(),
});
export type Credential = z.output<typeof Credential>;

export const CREDENTIAL_NAME = /^[a-z\d][a-z\d._-]{0,63}$/;

/** What the operator asks for. */
export type NewCredential =
  | { readonly kind: "machine" }
  | { readonly kind: "redirect"; readonly redirects: readonly [string, ...string[]] }
  | { readonly kind: "host"; readonly host: string };

/**
 * Issues a credential, with the secret of a machine, which is kept nowhere. `undefined` if the name has been given, or the
 * host is admitted already.
 */
export async function issueCredential(store: IssuerStore, name: string, asked: NewCredential, now: Date) {
  const { kind } = asked;
  if (kind === "host" && (await isAdmitted(store, asked.host))) return undefined;
  const secret = kind === "machine" ? randomBytes(32).toString("base64url") : undefined;
  const purpose = Purpose.parse(secret === undefined ? asked : { kind, secretHash: hashOf(secret) });
  const payload: Credential = { name, purpose, createdAt: now.toISOString(), revokedAt: null };
  return (await store.add("Client", keyOf(name), { payload, expiresAt: undefined })) ? { secret } : undefined;
}

/** Gives a machine another secret in place of its own. `undefined` if no machine of this name is in force. */
export async function renewSecret(store: IssuerStore, name: string) {
  const credential = await findCredential(store, name);
  if (credential?.purpose.kind !== "machine") return undefined;
  const secret = randomBytes(32).toString("base64url");
  const payload: Credential = { ...credential, purpose: { kind: "machine", secretHash: hashOf(secret) } };
  await store.save("Client", keyOf(name), { payload, expiresAt: undefined });
  return { secret };
}

/** All that were issued, by name. */
export async function credentialsOf(store: Pick<IssuerStore, "list">): Promise<readonly Credential[]> {
  const records = await store.list("Client");
  return records.map(credentialOf).sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * Ends a credential and its grants; their refresh tokens and codes end with them. Resolves to how many grants those were,
 * `undefined` if no credential of this name is in force.
 */
export async function revokeCredential(store: IssuerStore, name: string, now: Date): Promise<number | undefined> {
  const credential = await findCredential(store, name);
  if (!credential) return undefined;
  const payload: Credential = { ...credential, revokedAt: now.toISOString() };
  // First, so that no grant begins after the list has been read.
  await store.save("Client", keyOf(name), { payload, expiresAt: undefined });
  const grants = (await store.list("Grant")).filter(({ payload: { clientId } }) => isOf(credential, String(clientId)));
  for (const { key } of grants) await store.remove("Grant", key);
  return grants.length;
}

/** The client of this id, as the library reads it; `undefined` if there is none, and for the id of a metadata document. */
export async function findClient(store: Pick<IssuerStore, "find">, id: string): Promise<ClientMetadata | undefined> {
  const { name, purpose } = (CREDENTIAL_NAME.test(id) && (await findCredential(store, id))) || {};
  if (name === undefined || !purpose || purpose.kind === "host") return undefined;
  const client = { client_id: name, client_name: name };
  if (purpose.kind === "redirect") {
    const { redirects: redirect_uris } = purpose;
    return { ...client, redirect_uris, grant_types: ["authorization_code", "refresh_token"] };
  }
  return {
    ...client,
    // What `isSecret` compares with.
    client_secret: purpose.secretHash,
    token_endpoint_auth_method: "client_secret_post",
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
  };
}

/** Whether a client may name itself by metadata documents of this host, as `URL.host` writes it. */
export async function isAdmitted(store: Pick<IssuerStore, "list">, host: string): Promise<boolean> {
  const all = await credentialsOf(store);
  return all.some(({ purpose, revokedAt }) => revokedAt === null && purpose.kind === "host" && purpose.host === host);
}

/** Whether this is the secret with this hash; takes the same time for every secret. */
export function isSecret(secret: string, hash = ""): boolean {
  const [given, kept] = [hashOf(secret), hash].map((text) => Buffer.from(text));
  return given?.length === kept?.length && timingSafeEqual(given ?? Buffer.of(), kept ?? Buffer.of());
}

/** Fast, since a secret is 256 random bits, which cannot be guessed. */
function hashOf(secret: string): string {
  return sha256(secret, "base64url");
}

async function findCredential(store: Pick<IssuerStore, "find">, name: string): Promise<Credential | undefined> {
  const record = await store.find("Client", keyOf(name));
  const credential = record && credentialOf(record);
  return credential?.revokedAt === null ? credential : undefined;
}

function credentialOf({ payload }: KeptRecord): Credential {
  return Credential.parse(payload);
}

function isOf({ name, purpose }: Credential, clientId: string): boolean {
  if (purpose.kind !== "host") return clientId === name;
  return URL.canParse(clientId) && new URL(clientId).host === purpose.host;
}

function keyOf(name: string): string {
  return sha256(name, "base64url");
}
