// Judges the front page, the reference and a traveler's page of the built server with Lighthouse, as a phone: at least 90
// in each category, and 2.5 s to the largest paint. The traveler's page is also loaded over a connection and by a processor
// that are really slowed down, to slow 4G and a fourth. There it has 4 s and no score for its speed, because the time of a
// shared machine is in both; the goal is 2.0 s. A busy machine gets two further tries.
import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromiumPath, startServer } from "../conformance/server.mjs";
import { installPackages } from "../support/install-packages.mjs";

const LEAST_SCORE = 0.9;
const MOST_OFFER_BYTES = 60_000;
/** Most milliseconds to the largest paint, most bytes, and whether the score for speed counts. */
const SIMULATED = { slowest: 2_500, most: Number.POSITIVE_INFINITY, scoresSpeed: true };
const SLOWED = { slowest: 4_000, most: MOST_OFFER_BYTES, scoresSpeed: false };
const TRIES = 3;
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = installPackages(dirname(fileURLToPath(import.meta.url)));

execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: "inherit" });
const server = await startServer(join(root, "dist/cli.js"));
const failed = [];
try {
  // A link with a signature asks not to be indexed, which is all that the audit left out would find.
  const link = [await checkoutLink(), "--skip-audits=is-crawlable"];
  const pages = [
    ["/", SIMULATED, server.url],
    ["/docs", SIMULATED, `${server.url}/docs`],
    ["/checkout", { ...SIMULATED, most: MOST_OFFER_BYTES }, ...link],
    ["/checkout, slowed down", SLOWED, ...link, "--throttling-method=devtools"],
  ];
  for (const [path, limits, url, ...options] of pages) {
    let found;
    for (let tries = 0; tries < TRIES && !found?.isGood; tries += 1) found = judge(url, options, limits);
    const { scores, paint, bytes } = found;
    process.stdout.write(`${path}: ${scores.join(", ")}, largest paint ${Math.round(paint)} ms, ${bytes} bytes\n`);
    if (!found.isGood) failed.push(path, ...found.findings);
  }
} finally {
  await server.close();
}
if (failed.length > 0) {
  process.stderr.write(`below the limits: ${failed.join("\n  ")}\n`);
  process.exit(1);
}

function judge(url, options, { slowest, most, scoresSpeed }) {
  const flags = ["--quiet", "--output=json", "--chrome-flags=--headless --no-sandbox --disable-gpu", ...options];
  const { stdout, stderr, status } = spawnSync(join(folder, "node_modules/.bin/lighthouse"), [url, ...flags], {
    encoding: "utf8",
    env: { ...process.env, CHROME_PATH: chromiumPath },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`lighthouse ${url}: ${stderr}`);
  const { categories, audits } = JSON.parse(stdout);
  const paint = audits["largest-contentful-paint"].numericValue;
  const bytes = Math.round(audits["total-byte-weight"].numericValue);
  const all = Object.values(categories);
  const judged = all.filter(({ id }) => scoresSpeed || id !== "performance");
  return {
    ...{ paint, bytes },
    scores: all.map(({ title, score }) => `${title} ${Math.round(score * 100)}`),
    isGood: judged.every(({ score }) => score >= LEAST_SCORE) && paint < slowest && bytes < most,
    findings: Object.values(audits).flatMap(({ id, score }) =>
      typeof score === "number" && score < LEAST_SCORE ? [`${id} ${score}`] : [],
    ),
  };
}

async function checkoutLink() {
  const day = new Date(Date.now() + 14 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const journey = { origin: "Zurich Airport", destination: "Zermatt", pickup_datetime: `${day}T14:00:00+01:00` };
  const { quote_id, options } = await post("/quotes", { ...journey, passengers: 2, luggage: 2 });
  const approval = { quote_id, fleet_id: options[0].fleet_id, traveler_approval: true };
  return (await post("/checkout-sessions", approval)).checkout_url;
}

async function post(path, body) {
  const headers = { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" };
  const response = await fetch(`${server.url}/api/public/v1${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
