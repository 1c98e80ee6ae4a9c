import { execFileSync, spawnSync } from "node:child_process";

/** Why no process can be started at another time; false where one can. */
export const noFaketime = spawnSync("faketime", ["--version"]).error ? "faketime is not installed" : false;

/** The environment of a process whose clock shows this instant now, and goes on from there. */
export function clockAt(instant: number): Record<string, string> {
  const seconds = Math.round((instant - Date.now()) / 1000);
  const offset = `${seconds < 0 ? "" : "+"}${seconds}s`;
  const printed = execFileSync("faketime", ["--exclude-monotonic", "-f", offset, "env"], { encoding: "utf8" });
  const variables = printed.matchAll(/^(LD_PRELOAD|FAKETIME|FAKETIME_DONT_FAKE_MONOTONIC)=(.*)$/gm);
  return Object.fromEntries([...variables].map(([, name = "", value = ""]) => [name, value]));
}
