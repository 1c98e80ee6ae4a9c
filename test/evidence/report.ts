import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { type History, PROMISES, type Promised, type Violation } from "./history.ts";
import { plantedFaults } from "./planted-faults.ts";

/** What was run on one deployment, and what came of it. */
export interface Run {
  readonly name: string;
  readonly history: History;
  /** How often each fault was injected. */
  readonly faults: ReadonlyMap<string, number>;
  readonly kills: number;
  readonly violations: readonly Violation[];
}

export interface Report {
  readonly seed: number;
  readonly startedAt: Date;
  /** For how long faults were injected. */
  readonly minutes: number;
  readonly runs: readonly Run[];
  /** What this machine could not run, and why. */
  readonly notRun: readonly string[];
}

/** Which calls of a history a promise is judged by. */
const JUDGED_BY: Readonly<Record<Promised, string>> = {
  "lost quote": "reads and handoffs by the owner after the acknowledgement, and an audit of every quote at the end",
  "doubled key": "all answers under a key, concurrent ones and resends after lost answers among them",
  "foreign read": "reads and handoffs by other subjects",
  "changed replay": "the digest of each answer under a key",
  "changed quote": "the digest of each read, but for its status",
  "early expiry": "`expires_at`, reads and handoffs, by the clock that the process was set to",
  "late expiry": "the same",
  "budget exceeded": "bursts of one and a half budgets by new subjects on all processes",
  "budget withheld": "the same",
  "lost sale": "the ledger at the end, against every acknowledged quote and handoff",
  "doubled sale": "the ledger at the end",
  "unexpected answer": "status and code of every answer",
  "no recovery": "`/readyz` of every process after each fault, before the next one",
};

const NOT_PROMISED = [
  "An answer may be lost with its connection: the client resends under the same idempotency key. Without a key it cannot know.",
  "Calls are rejected with 503 while the store is unavailable, the disk is full or a process is frozen; how many is not judged here.",
  "While Redis is unavailable each process counts budgets on its own; a restarted process without Redis starts counting afresh.",
  "A disk that acknowledges writes and loses them (no working fsync) is not simulated; neither is a power failure.",
  "PostgreSQL is one server: fail-over to a replica is not tested, and loses what the replica lacks unless it is synchronous.",
  "Calls go over REST. MCP uses the same call pipeline and store, but is not part of the load.",
];

export function linesOf({ runs, notRun, seed, minutes }: Report): readonly string[] {
  const perRun = runs.flatMap(({ name, history, faults, kills, violations }) => [
    `${name}: ${countsOf(history)}`,
    `  faults: ${[...faults].map(([fault, times]) => `${fault} ${times}`).join(", ")}; ${kills} kills`,
    `  violations: ${violations.length}`,
    ...violations.slice(0, 20).map(({ promise, detail }) => `    ${promise}: ${detail}`),
  ]);
  const where = `seed ${seed}, ${minutes.toFixed(1)} minutes, commit ${commit()}, ${machine()}`;
  return [...perRun, ...notRun.map((each) => `not run: ${each}`), where];
}

/** EVIDENCE.md: all of it is made from the run. */
export function markdownOf(report: Report): string {
  const { runs, seed, minutes, startedAt, notRun } = report;
  const kills = runs.reduce((sum, run) => sum + run.kills, 0);
  const violations = runs.flatMap((run) => run.violations);
  return `# Evidence

What the service promises, how it was attacked, and what was found. This file is written by \`npm run evidence\`; a run with the same seed injects the same faults in the same order.

| | |
| --- | --- |
| Run | \`npm run evidence -- --seed ${seed}\`, ${minutes.toFixed(1)} minutes of faults, started ${startedAt.toISOString()} |
| Commit | \`${commit()}\` |
| Machine | ${machine()} |
| Kills (\`kill -9\`) | ${kills} |
| Violations | ${violations.length} |

## Promises

| Promise | Judged by | Violations |
| --- | --- | --- |
${(Object.keys(PROMISES) as Promised[]).map((key) => `| ${PROMISES[key]} | ${JUDGED_BY[key]} | ${violations.filter(({ promise }) => promise === key).length} |`).join("\n")}

Clients record every call, with "unknown" where the answer was lost; \`test/evidence/judge.ts\` is a pure function of that history. That it would find a fault is tested with five planted ones (\`test/evidence/planted-faults.test.ts\`):

${plantedFaults.map(({ name }) => `- ${name}`).join("\n")}

## Load and faults

Five callers on each deployment create quotes (one in ten twice at the same time), replay, read and hand off their own, try those of others, and use up budgets. At the end every acknowledged quote is read and every key whose answer was lost is sent twice more.

${runs.map(runMarkdown).join("\n\n")}
${notRun.length > 0 ? `\nNot run on this machine:\n\n${notRun.map((each) => `- ${each}`).join("\n")}\n` : ""}
## What is not promised

${NOT_PROMISED.map((each) => `- ${each}`).join("\n")}
`;
}

function runMarkdown({ name, history, faults }: Run): string {
  const rows = [...faults].sort().map(([fault, times]) => `| ${fault} | ${times} |`);
  return `### ${name}\n\n${countsOf(history)}.\n\n| Fault | Times |\n| --- | --- |\n${rows.join("\n")}`;
}

function countsOf({ calls }: History): string {
  const kinds = [...new Set(calls.map(({ kind }) => kind))].sort();
  const each = kinds.map((kind) => `${calls.filter((call) => call.kind === kind).length} ${kind}`);
  const unknown = calls.filter(({ answer }) => answer === "unknown").length;
  const refused = calls.filter(({ answer }) => answer !== "unknown" && answer.status === 503).length;
  return `${calls.length} calls (${each.join(", ")}), of which ${unknown} unknown and ${refused} answered 503`;
}

function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${process.platform}`;
}

/** With "+changes" where files differ from it. */
function commit(): string {
  try {
    const git = (...args: readonly string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
    const changed = git("status", "--porcelain", "--untracked-files=no") === "" ? "" : "+changes";
    return `${git("rev-parse", "--short=12", "HEAD")}${changed}`;
  } catch {
    return "unknown";
  }
}
