// An agent in a rehearsal: what it does about each error and state. With the sandbox on:
//   node docs/rehearsal.mjs http://127.0.0.1:3000 "$(node dist/cli.js token)" ["Sandbox: forbidden" …]
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const [origin, token, ...chosen] = process.argv.slice(2);
if (!origin || !token) throw new Error("usage: node docs/rehearsal.mjs http://127.0.0.1:3000 TOKEN [NAME …]");
const NAMES = ["route unavailable once", "upstream unavailable", "forbidden", "invalid location"];
const STATES = ["manual confirmation", "checkout rate limited once"];
const destinations = chosen.length > 0 ? chosen : ["Bern", ...[...NAMES, ...STATES].map((name) => `Sandbox: ${name}`)];
const pickup_datetime = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString();

const outcomes = await Promise.all(destinations.map(async (each) => `${each}: ${await sell(each)}\n`));
process.stdout.write(outcomes.join(""));

async function sell(destination) {
  const quote = await post("/quotes", { origin: "Zurich Airport", destination, pickup_datetime });
  const choice = quote.field_errors?.find(({ candidates = [] }) => candidates.length > 1);
  if (choice) return `asked the traveler to choose between ${choice.candidates.join(" and ")}`;
  if (quote.code) return `given up, ${quote.code}: ${quote.next_action}`;
  const option = quote.options.find((each) => !each.requires_manual_confirmation);
  if (!option) return `asked the traveler to call the operator: ${quote.limitations.join(" ")}`;
  // A real agent shows the traveler price, expiry and limitations first, and waits for a yes.
  const approved = { quote_id: quote.quote_id, fleet_id: option.fleet_id, traveler_approval: true };
  const handoff = await post("/checkout-sessions", approved);
  if (handoff.code) return `given up, ${handoff.code}: ${handoff.next_action}`;
  return `link handed over, ${handoff.currency} ${handoff.total_price} until ${handoff.expires_at}`;
}

/** Sends the identical request up to three times; the key makes that safe. */
async function post(path, body) {
  const key = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${origin}/api/public/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!answer.retryable || attempt === 3) return answer;
    await sleep(Number(response.headers.get("retry-after") ?? attempt) * 1000);
  }
}
