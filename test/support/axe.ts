import axe from "axe-core";
import type { Frame, Page } from "playwright-core";

/** Loads axe into a page, whose policy must allow foreign scripts; the returned function lists current violations. */
export async function anAxe(page: Page | Frame): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(axe.source);
  return async () => {
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ["violations"] }),
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  };
}
