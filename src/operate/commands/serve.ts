import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { DAY } from "../../ops/durations.ts";
import { type HttpServer, listen } from "../../servers/http/http-server.ts";
import { API_BASE } from "../../servers/http/request.ts";
import { SCOPES } from "../../service/calls/operation.ts";
import { compose, type Overrides, type Service } from "../compose/compose.ts";
import type { Identity } from "../compose/compose-identity.ts";
import { claimQuotesFolder } from "../compose/compose-storage.ts";
import { type Config, checkListening, publicUrlOf } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import type { CommandCall } from "./command.ts";
import { openControl } from "./control.ts";
import { answerReload } from "./reload.ts";
import { crash, endCleanly } from "./shutdown.ts";
import { colored } from "./terminal-text.ts";

/** How long calls in flight may take to finish once the process is told to end. */
const GRACE_MILLISECONDS = 10_000;

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** REST and MCP over HTTP. Resolves once requests are answered. */
export async function startServer(
  config: Config,
  overrides: Overrides = {},
  onLockLost: (cause: Error) => void = (cause) => crash("", cause),
) {
  checkListening(config);
  const who = `serve on ${publicUrlOf(config, config.httpPort)}`;
  const { quotesFolder, release } = await claimQuotesFolder(config, who, onLockLost);
  let server: HttpServer | undefined;
  try {
    const { httpHost, httpPort } = config;
    server = await listen(httpHost, httpPort).catch(({ code }: NodeJS.ErrnoException) => {
      const why = code === "EADDRINUSE" ? "already in use" : `not available (${code})`;
      throw new ConfigError(
        `TRANSFER_HTTP_PORT is ${httpPort}; ${httpHost}:${httpPort} is ${why}; allowed: a free port, or 0 for any`,
      );
    });
    const http = server;
    const publicUrl = publicUrlOf(config, http.port);
    const site = { publicUrl, issuerOrigin: publicUrl, quotesFolder, servesHttp: true };
    const service = await compose(config, site, overrides);
    // Imported here, because the help of this command does not need it.
    const { composeHttp } = await import("../compose/compose-http.ts");
    const { listener, stop } = composeHttp(config, site, service, () => http.isDraining);
    http.serve(listener);
    /** Drains, finishes the calls in flight (10 s at most) and releases port and folder. */
    const close = async () => {
      await http.close(GRACE_MILLISECONDS, config.drainSeconds * 1000);
      stop();
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

export const options = {};

/** The `serve` command: starts, prints the addresses, and ends at a signal. */
export async function run({ config }: CommandCall<typeof options>): Promise<undefined> {
  let end = crash;
  // Without the lock another process can write to the folder.
  const onLockLost = (cause: Error) => end("the lock of the data folder was lost", cause);
  const { service, publicUrl, close: closeServer } = await startServer(config, {}, onLockLost);
  const closeControl = await openControl(config.dataDir, answersOf(service)).catch((error) => {
    // With a database the data folder may be read-only.
    service.log.warn(
      { err: error },
      "the commands reload and confirm cannot reach this process: send it SIGHUP to reload",
    );
    return async () => {};
  });
  const close = async () => void (await Promise.all([closeServer(), closeControl()]));
  end = endCleanly(close, service, GRACE_MILLISECONDS + config.drainSeconds * 1000 + 2_000);
  // In one write, so that no log line appears within it, and before the first one.
  process.stdout.write(await welcome(config, service.identity, publicUrl));
  service.log.info({ public_url: publicUrl }, "serving");
}

/** What the commands ask for that reach a running server. */
export function answersOf(service: Service): Parameters<typeof openControl>[1] {
  return (request) =>
    request.command === "reload" ? answerReload(service, request.isForced) : service.confirm(request);
}

/** What `serve` prints when it is ready, in 80 columns: the addresses, and a request to paste. */
async function welcome({ dataDir, sandbox }: Config, identity: Identity, publicUrl: string): Promise<string> {
  const places = `
${colored("bold", "transfer-quote-mcp is ready.")} Ctrl+C ends it.

  Front page  ${publicUrl}/
  REST        ${publicUrl}${API_BASE}
  MCP         ${publicUrl}/mcp
  Reference   ${publicUrl}/docs
${sandbox ? `  Sandbox     ${publicUrl}/docs/sandbox\n` : ""}`;
  if (!identity.mint || !identity.demo) return `${places}  Tokens      from ${identity.issuer}\n\n`;
  const { oauth, clientSecret } = identity.demo;
  const file = resolve(dataDir, "token");
  const token = await identity.mint("local-developer", SCOPES, DAY / 1000);
  // With a database the data folder may be read-only.
  const printToken = await writeFile(file, `${token}\n`, { mode: 0o600 }).then(
    () => `cat '${file.replaceAll("'", "'\\''")}'`,
    () => "transfer-quote-mcp token",
  );
  const inAWeek = `${new Date(Date.now() + 7 * DAY).toISOString().slice(0, 10)}T13:00:00Z`;
  return `${places}  Tokens      ${identity.issuer}/oauth/token
              development issuer, for this machine only
              client_id ${oauth.clientId}
              client_secret ${clientSecret}
              audience  ${identity.audience}

Paste this into a second terminal for a first quote:

curl -s ${publicUrl}${API_BASE}/quotes \\
  -H "Authorization: Bearer $(${printToken})" \\
  -H "Content-Type: application/json" \\
  -d '{"origin":"Zurich Airport", "destination":"Interlaken", "passengers":2,
       "pickup_datetime":"${inAWeek}", "luggage":2}'

`;
}
