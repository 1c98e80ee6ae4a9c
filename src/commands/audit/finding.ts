import { colored, wrapped } from "../columns.ts";

/** A certain (fault) or probable (warning) mistake in a catalog that can be loaded. */
export interface Finding {
  readonly severity: "fault" | "warning";
  /** In the catalog folder. */
  readonly file: string;
  readonly path: string;
  readonly text: string;
}

export function fault(file: string, path: string, text: string): Finding {
  return { severity: "fault", file, path, text };
}

export function warning(file: string, path: string, text: string): Finding {
  return { severity: "warning", file, path, text };
}

export function isFault({ severity }: Finding): boolean {
  return severity === "fault";
}

/** The list of faults, then of warnings; an empty list is left out. */
export function shownFindings(findings: readonly Finding[]): string {
  const faults = findings.filter(isFault);
  const warnings = findings.filter((each) => !isFault(each));
  return `${shown("Faults in the catalog", faults.map(textOf))}${shown("Warnings in the catalog", warnings.map(textOf))}`;
}

/** Why a catalog does not load. */
export function shownMistakes(mistakes: readonly string[]): string {
  return shown("The catalog cannot be used", mistakes);
}

function textOf({ file, path, text }: Finding): string {
  return `${file} at ${path}: ${text}`;
}

function shown(title: string, texts: readonly string[]): string {
  return texts.length > 0
    ? `\n${colored("bold", title)}:\n${texts.map((text) => `- ${wrapped(text, 2)}`).join("")}`
    : "";
}
