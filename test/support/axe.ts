import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Frame, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run(options: { resultTypes: ["violations"] }): Promise<AxeResults>;
}

/** Loads axe into a page, whose policy must allow foreign scripts; the returned function lists current violations. */
export async function anAxe(page: Page | Frame): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(AXE);
  return async () => {
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ["violations"] }),
    );
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  };
}
