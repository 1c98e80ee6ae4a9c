import { findingText } from "../../domain/catalog/finding.ts";
import type { Service } from "../compose/compose.ts";
import { type CommandCall, CommandFailed } from "./command.ts";
import { askServers, messageOf } from "./control.ts";

type ReloadAnswer = Awaited<ReturnType<typeof answerReload>>;

/** The version in use after the reload, and why that is still the old one where it failed. */
export async function answerReload({ reload, catalogInUse }: Service, isForced: boolean) {
  const outcome = await reload(isForced).then(
    (changes) => ({ mistake: undefined, warnings: changes.map(findingText) }),
    (error) => ({ mistake: messageOf(error), warnings: [] }),
  );
  const { version, tariffVersion } = catalogInUse();
  return { version, tariffVersion, ...outcome };
}

export const options = { force: { meaning: "accepts a catalog in which check finds faults" } } as const;

/** The `reload` command: exits with 1 where a server keeps its old catalog, and where no server runs. */
export async function run({ config, values }: CommandCall<typeof options>): Promise<undefined> {
  const isForced = values.force ?? false;
  const kept: string[] = [];
  for await (const answer of askServers<ReloadAnswer>(config.dataDir, { command: "reload", isForced })) {
    const { pid, version, tariffVersion, mistake, warnings } = answer;
    const inUse = `catalog ${version} (tariff ${tariffVersion})`;
    if (mistake === undefined) process.stdout.write(`process ${pid} uses ${inUse}\n`);
    else kept.push(`process ${pid} keeps ${inUse}: ${mistake}`);
    for (const warning of warnings) process.stderr.write(`process ${pid} warns: ${warning}\n`);
  }
  if (kept.length > 0) throw new CommandFailed(kept.join("\n"));
}
