import { SCOPES } from "../calls/operation.ts";
import { compose, type Overrides, type Service } from "../compose/compose.ts";
import type { Identity } from "../compose/compose-identity.ts";
import { claimQuotesFolder } from "../compose/compose-storage.ts";
import { type Config, checkListening, publicUrlOf } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { type HttpServer, listen } from "../http/http-server.ts";
import { API_BASE } from "../http/request.ts";
import { defineCommand } from "./command.ts";
import { inDataFolder } from "./data-folder.ts";
import { openControl } from "./reload.ts";
import { crash, endCleanly } from "./shutdown.ts";

/** How long calls in flight may take to finish once the process is told to end. */
const GRACE_MILLISECONDS = 10_000;

export interface RunningServer {
  readonly service: Service;
  readonly publicUrl: string;
  /** Drains, finishes the calls in flight (10 s at most) and releases port and folder. */
  close(): Promise<void>;
}

/** REST and MCP over HTTP. Resolves once requests are answered. */
export async function startServer(
  config: Config,
  overrides: Overrides = {},
  onLockLost: (cause: Error) => void = (cause) => crash("", cause),
): Promise<RunningServer> {
  checkListening(config);
  const who = `serve on ${publicUrlOf(config, config.httpPort)}`;
  const { quotesFolder, release } = await inDataFolder(config.dataDir, () =>
    claimQuotesFolder(config, who, onLockLost),
  );
  let server: HttpServer | undefined;
  try {
    server = await listenAsConfigured(config);
    const http = server;
    const publicUrl = publicUrlOf(config, http.port);
    const checkoutUrl = config.checkoutUrl ?? `${publicUrl}/checkout`;
    const site = { publicUrl, issuerOrigin: publicUrl, checkoutUrl, quotesFolder, sendsEvents: true, servesHttp: true };
    const service = await compose(config, site, overrides);
    // Not for the help of this command.
    const { composeHttp } = await import("../compose/compose-http.ts");
    http.serve(
      composeHttp(config, site, service, () => http.isDraining),
      service,
    );
    const close = async () => {
      await http.close(GRACE_MILLISECONDS, config.drainSeconds * 1000);
      await service.close();
      release();
    };
    return { service, publicUrl, close };
  } catch (error) {
    await server?.close(0);
    release();
    throw error;
  }
}

/** The `serve` command: starts, prints the addresses, and ends at a signal. */
async function run(config: Config): Promise<undefined> {
  let end = crash;
  // Another process may write to the folder from then on, so this one stops.
  const onLockLost = (cause: Error) => end("the lock of the data folder was lost", cause);
  const { service, publicUrl, close: closeServer } = await startServer(config, {}, onLockLost);
  const closeControl = await openControl(config.dataDir, service).catch((error) => {
    // With a database the data folder may be read-only.
    service.log.warn({ err: error }, "the command reload cannot reach this process: send it SIGHUP");
    return async () => {};
  });
  const close = async () => void (await Promise.all([closeServer(), closeControl()]));
  end = endCleanly(close, service, GRACE_MILLISECONDS + config.drainSeconds * 1000 + 2_000);
  service.log.info({ public_url: publicUrl }, "serving");
  // In one piece: what is logged meanwhile comes before or after it.
  process.stdout.write(await welcome({ identity: service.identity, publicUrl, sandbox: config.sandbox }));
}

export const serve = defineCommand({ operands: [], options: {}, run });

async function listenAsConfigured({ httpHost, httpPort }: Config): Promise<HttpServer> {
  try {
    return await listen(httpHost, httpPort);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "already in use" : `not available (${code})`;
    throw new ConfigError(
      `TRANSFER_HTTP_PORT is ${httpPort}; ${httpHost}:${httpPort} is ${why}; allowed: a free port, or 0 for any`,
    );
  }
}

const HALF_A_DAY_SECONDS = 12 * 60 * 60;

interface Welcome {
  readonly identity: Identity;
  readonly publicUrl: string;
  readonly sandbox: boolean | undefined;
}

/** What `serve` prints when it is ready, in 80 columns: the addresses, and a request to paste. */
async function welcome({ identity, publicUrl, sandbox }: Welcome): Promise<string> {
  const places = `
transfer-quote-mcp is ready.

  REST        ${publicUrl}${API_BASE}
  MCP         ${publicUrl}/mcp
  Reference   ${publicUrl}/docs
${sandbox ? `  Sandbox     ${publicUrl}/docs/sandbox\n` : ""}`;
  if (!identity.mint || !identity.server) return `${places}  Tokens      from ${identity.issuer}\n\n`;
  const token = await identity.mint("local-developer", SCOPES, HALF_A_DAY_SECONDS);
  const { clientId, clientSecret } = identity.server;
  return `${places}  Tokens      ${identity.issuer}/oauth/token
              development issuer, for this machine only
              client_id ${clientId}
              client_secret ${clientSecret}
              audience  ${identity.audience}

Paste this into a second terminal for a first quote (the token is good for 12
hours):

curl -s ${publicUrl}${API_BASE}/quotes \\
  -H "${wrapped(`Authorization: Bearer ${token}`)}" \\
  -H "Content-Type: application/json" \\
  -d '{"origin":"Zurich Airport", "destination":"Interlaken",
       "pickup_datetime":"${inAWeek()}", "passengers":2, "luggage":2}'

`;
}

/** Within double quotes a shell removes a backslash with the line break behind it. */
function wrapped(text: string): string {
  return text.replace(/.{70}(?=.)/g, "$&\\\n");
}

/** Two in the afternoon, UTC, in a week. */
function inAWeek(): string {
  const day = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  return `${day}T14:00:00Z`;
}
