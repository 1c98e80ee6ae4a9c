import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** The package exports the other file, which is twice as long and parsed anew in each page. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Loads axe into a page, whose policy must allow foreign scripts; the returned function lists current violations. */
export async function anAxe(page: Page | Frame): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(SOURCE);
  return async () => {
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  };
}

/** Whether no transition runs, shadow trees included. */
export function hasSettled(page: Page): Promise<boolean> {
  return page.locator("*").evaluateAll((all) => all.every((each) => each.getAnimations().length === 0));
}
