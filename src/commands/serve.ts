import { join } from "node:path";
import { createRefuseBroken } from "../../rest-shim/refuse-broken.ts";
import { API_BASE } from "../../rest-shim/rest-router.ts";
import { compose, type Overrides, type Service } from "../compose.ts";
import { type Config, checkListening } from "../config.ts";
import { ConfigMistake } from "../config-setting.ts";
import { isLoopback } from "../config-values.ts";
import { SCOPES } from "../engine/operation.ts";
import { type HttpServer, listen } from "../ops/http-server.ts";
import { lockFolder } from "../quotes/lowdb/store-lock.ts";
import { inDataFolder } from "./data-folder.ts";
import { publicUrlOf } from "./public-url.ts";
import { endCleanly, GRACE_MILLISECONDS } from "./shutdown.ts";

export interface RunningServer {
  readonly service: Service;
  readonly publicUrl: string;
  /** Finishes what is under way (10 s at most) and frees port and folder. */
  close(): Promise<void>;
}

/** REST and MCP over HTTP. Resolves once requests are answered. */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<RunningServer> {
  checkListening(config);
  const quotesFolder = join(config.dataDir, "quotes", "serve");
  const who = `serve on ${publicUrlOf(config, config.httpPort)}`;
  // Another process may write there from then on: nothing answered is at risk only if this one stops.
  const onCompromised = () => process.kill(process.pid, "SIGTERM");
  // A database is shared by any number of processes; the folder is not.
  const release = config.databaseUrl
    ? async () => {}
    : await inDataFolder(config.dataDir, () => lockFolder(quotesFolder, who, { onCompromised }));
  let server: HttpServer | undefined;
  try {
    server = await listenAsConfigured(config);
    const http = server;
    const publicUrl = publicUrlOf(config, http.port);
    const checkoutUrl = config.checkoutUrl ?? `${publicUrl}/checkout`;
    const service = await compose(
      config,
      { publicUrl, issuerOrigin: publicUrl, checkoutUrl, quotesFolder, servesIssuer: true },
      overrides,
    );
    http.serve(service.app, createRefuseBroken(service.docsBase));
    const close = async () => {
      await http.close(GRACE_MILLISECONDS);
      await service.close();
      await release();
    };
    return { service, publicUrl, close };
  } catch (error) {
    await server?.close(0);
    await release();
    throw error;
  }
}

/** The `serve` command: starts, says where things are, and ends at a signal. */
export async function serve(config: Config): Promise<void> {
  const { service, publicUrl, close } = await startServer(config);
  endCleanly(close, service.log);
  service.log.info({ public_url: publicUrl }, "serving");
  if (service.identity.server && !isLoopback(new URL(publicUrl).hostname)) {
    const message =
      "the development issuer signs in whoever reaches it; set TRANSFER_AUTH_ISSUER before others can";
    service.log.warn({ public_url: publicUrl }, message);
  }
  process.stdout.write(await welcome(service, publicUrl));
}

async function listenAsConfigured({ httpHost, httpPort }: Config): Promise<HttpServer> {
  try {
    return await listen(httpHost, httpPort);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "already in use" : `not available (${code})`;
    throw new ConfigMistake(
      `TRANSFER_HTTP_PORT is ${httpPort}; ${httpHost}:${httpPort} is ${why}; allowed: a free port, or 0 for any`,
    );
  }
}

const HALF_A_DAY_SECONDS = 12 * 60 * 60;

async function welcome({ identity }: Service, publicUrl: string): Promise<string> {
  const places = `
transfer-quote-mcp is ready.

  REST        ${publicUrl}${API_BASE}
  MCP         ${publicUrl}/mcp
  Reference   ${publicUrl}/docs
`;
  if (!identity.mint || !identity.server) return `${places}  Tokens      from ${identity.issuer}\n\n`;
  const token = await identity.mint("local-developer", SCOPES, HALF_A_DAY_SECONDS);
  const { clientId, clientSecret } = identity.server;
  return `${places}  Tokens      ${identity.issuer}/oauth/token  (development issuer)
              client_id ${clientId}, client_secret ${clientSecret}
              audience  ${identity.audience}

Paste this into a second terminal for a first quote (the token is good for 12 hours):

curl -s ${publicUrl}${API_BASE}/quotes \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"origin":"Zurich Airport","destination":"Interlaken","pickup_datetime":"${inAWeek()}","passengers":2,"luggage":2}'

`;
}

/** Two in the afternoon, UTC, in a week. */
function inAWeek(): string {
  const day = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  return `${day}T14:00:00Z`;
}
