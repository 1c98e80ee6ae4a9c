import type { RequestListener } from "node:http";
import { cachedFor } from "../../ops/cached-for.ts";
import { listen } from "../../servers/http/http-server.ts";
import { type StdioConnection, serveStdio } from "../../servers/mcp/stdio.ts";
import { compose } from "../compose/compose.ts";
import { claimQuotesFolder } from "../compose/compose-storage.ts";
import { publicUrlOf } from "../config/config.ts";
import type { CommandCall } from "./command.ts";
import { crash, endCleanly } from "./shutdown.ts";

/** How long shutting down may take: the host waits for it. */
const END_MILLISECONDS = 1_900;
/** How long calls in flight may take to finish then. */
const GRACE_MILLISECONDS = 1_500;

export const options = {};

/**
 * The `stdio` command: MCP on stdin and stdout. Unless a checkout page is configured, a loopback port serves the
 * traveler's page, so that checkout links open as long as the process runs.
 */
export async function run({ config }: CommandCall<typeof options>): Promise<undefined> {
  let end = crash;
  const onLockLost = (cause: Error) => end("the lock of the data folder was lost", cause);
  const { quotesFolder, release } = await claimQuotesFolder(config, undefined, onLockLost);
  const http = config.checkoutUrl === undefined ? await listen("127.0.0.1", 0) : undefined;
  const issuerOrigin = publicUrlOf(config, config.httpPort);
  const publicUrl = http ? `http://127.0.0.1:${http.port}` : issuerOrigin;
  const site = { publicUrl, issuerOrigin, quotesFolder, servesHttp: false };
  const service = await compose(config, site).catch(async (error) => {
    await http?.close(0);
    release();
    throw error;
  });
  const { identity, log } = service;
  if (http) {
    // Imported at the first request: most processes never serve a page, and loading Express takes long.
    const pages = cachedFor(0, async () => {
      const { composeTravelerHttp } = await import("../compose/compose-http.ts");
      return composeTravelerHttp(config, site, service);
    });
    const serveTraveler: RequestListener = async (request, response) => {
      try {
        (await pages())(request, response);
      } catch (error) {
        log.error({ err: error }, "pages could not be loaded");
        response.writeHead(500).end();
      }
    };
    http.serve(serveTraveler);
  }
  const { accessToken } = config;
  const caller = {
    bearer: accessToken ?? null,
    principal: accessToken === undefined ? identity.localDeveloper : undefined,
  };
  if (accessToken === undefined && !identity.localDeveloper) {
    log.warn({}, "TRANSFER_ACCESS_TOKEN is not set: every call will answer AUTHENTICATION_REQUIRED");
  }

  let connection: StdioConnection | undefined;
  const close = async () => {
    await Promise.all([connection?.answered(GRACE_MILLISECONDS), http?.close(GRACE_MILLISECONDS)]);
    await connection?.close();
    await service.close();
    release();
  };
  end = endCleanly(close, service, END_MILLISECONDS);
  const onClosed = () => end("the host has disconnected");
  connection = serveStdio(service.mcpTools, caller, onClosed, service.onFinished);
  log.info({ checkout_page: service.checkoutUrl, sandbox: config.sandbox }, "serving MCP over stdio");
}
