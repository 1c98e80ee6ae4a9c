import { join } from "node:path";
import { createRefuseBroken } from "../../rest-shim/refuse-broken.ts";
import { compose } from "../compose.ts";
import type { Config } from "../config.ts";
import { SCOPES } from "../engine/operation.ts";
import { admittedRun, type StdioConnection, serveStdio } from "../mcp/stdio.ts";
import { listen } from "../ops/http-server.ts";
import { lockFreeSlot } from "../quotes/lowdb/store-lock.ts";
import { inDataFolder } from "./data-folder.ts";
import { publicUrlOf } from "./public-url.ts";
import { endCleanly, GRACE_MILLISECONDS } from "./shutdown.ts";

const TOKEN_SECONDS = 60 * 60;

/**
 * The `stdio` command: MCP on stdin and stdout. Unless a checkout page is configured, a loopback port serves the
 * traveler's page, so that the links it hands out open as long as the process lives.
 */
export async function stdio(config: Config): Promise<void> {
  const slots = join(config.dataDir, "quotes");
  const slot = config.databaseUrl
    ? { folder: slots, release: async () => {} }
    : await inDataFolder(config.dataDir, () => lockFreeSlot(slots, "stdio", "stdio"));
  const http = config.checkoutUrl === undefined ? await listen("127.0.0.1", 0) : undefined;
  const issuerOrigin = publicUrlOf(config, config.httpPort);
  const publicUrl = http ? `http://127.0.0.1:${http.port}` : issuerOrigin;
  const checkoutUrl = config.checkoutUrl ?? `${publicUrl}/checkout`;
  const site = { publicUrl, issuerOrigin, checkoutUrl, quotesFolder: slot.folder, servesIssuer: false };
  const service = await compose(config, site).catch(async (error) => {
    await http?.close(0);
    await slot.release();
    throw error;
  });
  const { identity, log } = service;
  http?.serve(service.travelerApp, createRefuseBroken(service.docsBase));
  if (config.accessToken === undefined && !identity.mint) {
    log.warn({}, "TRANSFER_ACCESS_TOKEN is not set: every call will answer AUTHENTICATION_REQUIRED");
  }

  let connection: StdioConnection | undefined;
  const end = endCleanly(async () => {
    await connection?.answered(GRACE_MILLISECONDS);
    await connection?.close();
    await http?.close(GRACE_MILLISECONDS);
    await service.close();
    await slot.release();
  }, log);
  const bearer = async () =>
    config.accessToken ?? (await identity.mint?.("local-developer", SCOPES, TOKEN_SECONDS)) ?? null;
  const run = admittedRun(service.run, service.admit, service.docsBase);
  connection = await serveStdio(service.createMcpServer(run), remembered(bearer), end);
  log.info({ checkout_page: checkoutUrl }, "serving MCP over stdio");
}

/** The same token for most of its life. */
function remembered(bearer: () => Promise<string | null>): () => Promise<string | null> {
  let token: Promise<string | null> | undefined;
  let until = 0;
  return () => {
    if (!token || Date.now() > until) {
      token = bearer();
      until = Date.now() + (TOKEN_SECONDS * 1000) / 2;
    }
    return token;
  };
}
