import { colored, wrapped } from "../columns.ts";

/** Something in a catalog that loads, but surely (a fault) or probably (a warning) does not say what its operator means. */
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

/** Faults, then warnings; nothing where there are none. */
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
