import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";
import { until } from "./until.ts";

/** The package exports the other file, which is twice as long and parsed anew in each page. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The rules whose result can change with the color scheme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

interface Judged {
  /** Only the rules whose result can change with the color scheme: after all have been applied in the other one. */
  readonly onlyColors?: boolean;
}

export type Findings = (judged?: Judged) => Promise<readonly string[]>;

/**
 * Loads axe into a document, whose policy must allow foreign scripts; the returned function lists current violations.
 * Loading takes as long as applying all rules to a page, so a document is better changed than loaded anew.
 */
export async function anAxe(page: Page | Frame): Promise<Findings> {
  await page.evaluate(SOURCE);
  return async ({ onlyColors = false } = {}) => {
    // Our pages have no frames, and the one rule that reads style sheets is off.
    const options = { resultTypes: ["violations"], iframes: false, preload: false } satisfies axe.RunOptions;
    const rules = onlyColors ? { runOnly: COLOR_RULES } : {};
    const { violations } = await page.evaluate((run) => (globalThis as unknown as { axe: typeof axe }).axe.run(run), {
      ...options,
      ...rules,
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  };
}

/** Asserts that axe finds nothing in a page, in light and in dark. */
export async function assertAccessible(page: Page, findings: Findings, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await until(() => hasSettled(page), "all colors have changed");
    assert.deepEqual(await findings({ onlyColors: colorScheme === "dark" }), [], `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Whether no transition runs, shadow trees included. */
export function hasSettled(page: Page): Promise<boolean> {
  return page.locator("*").evaluateAll((all) => all.every((each) => each.getAnimations().length === 0));
}
