import { SCOPES } from "../calls/operation.ts";
import type { Identity } from "../compose/compose-identity.ts";
import { API_BASE } from "../http/api-base.ts";

const HALF_A_DAY_SECONDS = 12 * 60 * 60;

interface Welcome {
  readonly identity: Identity;
  readonly publicUrl: string;
  readonly sandbox: boolean | undefined;
}

/** What `serve` prints when it is ready, in 80 columns: the addresses, and a request to paste. */
export async function welcome({ identity, publicUrl, sandbox }: Welcome): Promise<string> {
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
