import { join } from "node:path";
import type { EmbeddedIssuerOptions } from "../../adapters/identity/embedded/issuer.ts";
import { type IssuerStore, loadIssuerSecrets } from "../../adapters/identity/embedded/issuer-store.ts";
import { issuerMounts, requireHttps } from "../../adapters/identity/issuer/mounts.ts";
import { publicKeyOf } from "../../adapters/identity/issuer/signing-key.ts";
import { checkFormat } from "../../adapters/stores/lowdb/folder-format.ts";
import { openIssuerFiles } from "../../adapters/stores/lowdb/issuer-files.ts";
import { type Clock, systemClock } from "../../ops/clock.ts";
import { type Log, silentLog } from "../../ops/log.ts";
import type { Opened } from "../../ops/opened.ts";
import { sendConsentPage } from "../../servers/http/consent-page.ts";
import { SCOPES } from "../../service/calls/operation.ts";
import type { Config } from "../config/config.ts";
import type { IdentityParts } from "./compose-identity.ts";
import { inDataFolder } from "./compose-storage.ts";

type Parts = IdentityParts & Pick<EmbeddedIssuerOptions, "issuer" | "audience" | "acceptedResources">;

/** The embedded issuer. Its store is handed to `opened`. */
export async function openEmbeddedIssuer(config: Config, { operatorIn, ...parts }: Parts, opened: Opened) {
  const { issuer, clock, log } = parts;
  const store = opened(await openIssuerStore(config, clock, log));
  const secrets = await inDataFolder(config.dataDir, () => loadIssuerSecrets(store));
  const askConsent: EmbeddedIssuerOptions["askConsent"] = (consent, ...exchange) =>
    sendConsentPage(consent, operatorIn, ...exchange);
  const mounts = issuerMounts(issuer, requireHttps(issuer), async () => {
    const { createEmbeddedIssuer } = await import("../../adapters/identity/embedded/issuer.ts");
    return createEmbeddedIssuer({ ...parts, scopes: SCOPES, store, secrets, askConsent });
  });
  return { mounts, keys: publicKeyOf(secrets.signingKey) };
}

/**
 * Where the embedded issuer keeps credentials and grants: the database, or the data folder. With a log it deletes what has
 * expired, as the server does.
 */
export async function openIssuerStore(
  { databaseUrl, dataDir }: Config,
  clock: Clock = systemClock,
  purgeLog?: Log,
): Promise<IssuerStore> {
  if (databaseUrl !== undefined) {
    const { openPostgresIssuerStore } = await import("../../adapters/stores/postgres/postgres-issuer-store.ts");
    return openPostgresIssuerStore(databaseUrl, { clock, log: purgeLog ?? silentLog });
  }
  checkFormat(dataDir);
  const folder = join(dataDir, "issuer");
  return inDataFolder(dataDir, () => openIssuerFiles({ folder, clock, purgeLog }));
}
