import { join } from "node:path";

/**
 * What is wrong with a catalog: with a mistake it cannot be used, with a fault it is refused unless the operator accepts
 * it, and a warning is probably a mistake.
 */
export interface Finding {
  readonly severity: "mistake" | "fault" | "warning";
  /** In the catalog folder. */
  readonly file: string;
  /** Where in the file; empty for the whole file. */
  readonly path: string;
  /** What is wrong, with the value, and what to do. */
  readonly text: string;
}

/** Collects what reading and checking find. */
export type Findings = ReturnType<typeof createFindings>;

export function createFindings() {
  const all: Finding[] = [];
  const adds = (severity: Finding["severity"]) => (file: string, path: string, text: string) => {
    all.push({ severity, file, path, text });
  };
  return { all, mistake: adds("mistake"), fault: adds("fault"), warning: adds("warning") };
}

export function findingText({ file, path, text }: Finding): string {
  return `${file}${path && ` at ${path}`}: ${text}`;
}

/** Why a catalog is not used: all of its mistakes or faults, in one line each. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  readonly findings: readonly Finding[];

  constructor(folder: string, findings: readonly Finding[]) {
    const [first, ...others] = findings.map(findingText);
    const isRefused = findings.every(({ severity }) => severity === "fault");
    const text =
      others.length === 0
        ? join(folder, first ?? "")
        : `${folder} has ${findings.length} mistakes:${findings.map((each) => `\n- ${findingText(each)}`).join("")}`;
    super(isRefused ? `${text}\n${HOW_TO_ACCEPT}` : text);
    this.findings = findings;
  }
}

const HOW_TO_ACCEPT = "Correct it, or accept it: reload --force, or TRANSFER_ACCEPT_FAULTS=true for a start.";
