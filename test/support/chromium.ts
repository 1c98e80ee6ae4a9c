import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

/** Why tests that need a browser are skipped, or `false`. On CI they run, and fail where there is none. */
export const whyNoChromium =
  existsSync(executablePath) || process.env.CI === "true"
    ? false
    : `there is no Chromium at ${executablePath}: install it, or name it in CHROMIUM_PATH`;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
