import { join } from "node:path";
import { compose } from "../compose.ts";
import type { Config } from "../config.ts";
import type { Run } from "../engine/engine.ts";
import { SCOPES } from "../engine/operation.ts";
import { admittedRun, serveStdio } from "../mcp/stdio.ts";
import { listen } from "../ops/http-server.ts";
import { lockFreeSlot } from "../quotes/store-lock.ts";
import { publicUrlOf } from "./public-url.ts";
import { endCleanly, GRACE_MILLISECONDS } from "./shutdown.ts";

const TOKEN_SECONDS = 60 * 60;

/**
 * The `stdio` command: MCP on stdin and stdout. Unless a checkout page is configured, a loopback port serves the
 * traveler's page, so that the links it hands out open as long as the process lives.
 */
export async function stdio(config: Config): Promise<void> {
  const slot = await lockFreeSlot(join(config.dataDir, "quotes"), "stdio", "stdio");
  const http = config.checkoutUrl === undefined ? await listen("127.0.0.1", 0) : undefined;
  const publicUrl = http ? `http://127.0.0.1:${http.port}` : publicUrlOf(config, config.httpPort);
  const checkoutUrl = config.checkoutUrl ?? `${publicUrl}/checkout`;
  const site = { publicUrl, checkoutUrl, quotesFolder: slot.folder, servesIssuer: false };
  const service = await compose(config, site);
  const { identity, log } = service;
  http?.serve(service.travelerApp);
  if (config.accessToken === undefined && !identity.mint) {
    log.warn({}, "TRANSFER_ACCESS_TOKEN is not set: every call will answer AUTHENTICATION_REQUIRED");
  }

  const calls = createCallsUnderWay(admittedRun(service.run, service.admit, service.docsBase));
  const end = endCleanly(async () => {
    await calls.finished(GRACE_MILLISECONDS);
    await disconnect();
    await http?.close(GRACE_MILLISECONDS);
    await service.close();
    await slot.release();
  }, log);
  const bearer = async () =>
    config.accessToken ?? (await identity.mint?.("local-developer", SCOPES, TOKEN_SECONDS)) ?? null;
  const disconnect = await serveStdio(service.createMcpServer(calls.run), remembered(bearer), end);
  log.info({ checkout_page: checkoutUrl }, "serving MCP over stdio");
}

/** Knows when the calls under way have ended. */
function createCallsUnderWay(run: Run) {
  const underWay = new Set<Promise<unknown>>();
  return {
    run: ((operation, call) => {
      const outcome = run(operation, call);
      underWay.add(outcome);
      return outcome.finally(() => underWay.delete(outcome));
    }) satisfies Run,

    async finished(milliseconds: number): Promise<void> {
      // What was read before the input ended is only now becoming a call.
      await new Promise((resolve) => setTimeout(resolve, 20));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      });
      await Promise.race([late, Promise.allSettled(underWay)]);
      clearTimeout(timer);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
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
