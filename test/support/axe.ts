import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** The package exports the other file, which is twice as long and parsed anew in each page. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export type Findings = () => Promise<readonly string[]>;

/**
 * Loads axe into a document, whose policy must allow foreign scripts; the returned function lists current violations.
 * Loading takes as long as applying all rules to a page, so a document is better changed than loaded anew.
 */
export async function anAxe(page: Page | Frame): Promise<Findings> {
  await page.evaluate(SOURCE);
  return async () => {
    // Our pages have no frames, and the one rule that reads style sheets is off.
    const options = { resultTypes: ["violations"], iframes: false, preload: false } satisfies axe.RunOptions;
    const { violations } = await page.evaluate(
      (run) => (globalThis as unknown as { axe: typeof axe }).axe.run(run),
      options,
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  };
}

/** Whether no transition runs, shadow trees included. */
export function hasSettled(page: Page): Promise<boolean> {
  return page.locator("*").evaluateAll((all) => all.every((each) => each.getAnimations().length === 0));
}
