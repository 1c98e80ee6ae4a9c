import { execFileSync } from "node:child_process";
import { cpus, totalmem } from "node:os";
import { table, withMarked } from "../../scripts/docs/with-marked.ts";
import { type History, PROMISES, type Promised, type Violation } from "./history.ts";

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

/** docs/maintainers/evidence.md with what is made from the run. */
export function markdownOf(document: string, { runs, seed, minutes, startedAt, notRun }: Report): string {
  const violations = runs.flatMap((run) => run.violations);
  const run = [
    [
      "Run",
      `\`npm run evidence -- --seed ${seed}\`, ${minutes.toFixed(1)} minutes of faults, started ${startedAt.toISOString()}`,
    ],
    ["Commit", `\`${commit()}\``],
    ["Machine", machine()],
    ["Kills (`kill -9`)", String(runs.reduce((sum, { kills }) => sum + kills, 0))],
    ["Violations", String(violations.length)],
  ];
  const promises = (Object.keys(PROMISES) as Promised[]).map((key) => {
    const broken = violations.filter(({ promise }) => promise === key);
    return [PROMISES[key], JUDGED_BY[key], String(broken.length)];
  });
  const marked = {
    run: table(["", ""], run),
    promises: table(["Promise", "Judged by", "Violations"], promises),
    runs: [
      listOf(runs.map(({ name, history }) => `${name}: ${countsOf(history)}`)),
      table(["Fault", ...runs.map(({ name }) => name)], faultsOf(runs)),
      ...(notRun.length > 0 ? [`Not run on this machine:\n\n${listOf(notRun)}`] : []),
    ].join("\n\n"),
  };
  return Object.entries(marked).reduce((result, [name, content]) => withMarked(result, name, content), document);
}

/** How often each run had each fault; empty where it cannot have it. */
function faultsOf(runs: readonly Run[]): readonly (readonly string[])[] {
  const names = [...new Set(runs.flatMap(({ faults }) => [...faults.keys()]))].sort();
  return names.map((name) => [name, ...runs.map(({ faults }) => String(faults.get(name) ?? ""))]);
}

function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
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
