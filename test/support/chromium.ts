import { existsSync } from "node:fs";
import { after, before, suite } from "node:test";
import { type Browser, chromium } from "playwright-core";
import { requireFreshBuild } from "./built-process.ts";

/** Paths in Debian. The headless shell takes three quarters of the CPU time of the full browser. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;
const executablePath = process.env.CHROMIUM_PATH ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0];

/** Why tests that need a browser are skipped, or `false`. On CI they run, and fail where there is none. */
const whyNoChromium =
  existsSync(executablePath) || process.env.CI === "true"
    ? false
    : `there is no Chromium at ${executablePath}: install it, or name it in CHROMIUM_PATH`;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath });
}

let suitesLeft = 0;
let shared: Promise<Browser> | undefined;

/** A suite of tests that use a browser. All suites of a process share one. */
export function browserSuite(name: string, define: (browser: () => Browser) => void): void {
  suitesLeft += 1;
  suite(name, { skip: whyNoChromium }, () => {
    let browser: Browser;
    before(async () => {
      requireFreshBuild();
      shared ??= launchChromium();
      browser = await shared;
    });
    after(async () => {
      suitesLeft -= 1;
      if (suitesLeft > 0) return;
      shared = undefined;
      await browser?.close();
    });
    define(() => browser);
  });
}
