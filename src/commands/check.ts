import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { compose } from "../compose.ts";
import { type Config, checkListening } from "../config.ts";
import { stateOf } from "../ops/health.ts";
import { silentLog } from "../ops/log.ts";
import { publicUrlOf } from "./public-url.ts";

/**
 * The `check` command: reads configuration and catalogue, asks every dependency, prints what is right and wrong. It
 * uses a store of its own, so that it may run beside a server. Gives the exit code.
 */
export async function check(config: Config): Promise<number> {
  checkListening(config);
  const folder = await mkdtemp(join(tmpdir(), "transfer-quote-check-"));
  try {
    const publicUrl = publicUrlOf(config, config.httpPort);
    const checkoutUrl = config.checkoutUrl ?? `${publicUrl}/checkout`;
    const site = {
      publicUrl,
      issuerOrigin: publicUrl,
      checkoutUrl,
      quotesFolder: folder,
      servesIssuer: false,
    };
    const service = await compose(config, site, { log: silentLog });
    const states = await Promise.all(service.dependencies.map(stateOf));
    await service.close();
    const table = new Table({ head: ["What", "State", ""], style: { head: [], border: [] } });
    table.push(["configuration", "ok", config.unknownVariables.map((name) => `unknown: ${name}`).join(", ")]);
    table.push(["catalogue", "ok", config.catalogDir]);
    for (const { name, ok, fault } of states) table.push([name, ok ? "ok" : "FAULT", fault ?? ""]);
    process.stdout.write(`${table}\n`);
    return states.every(({ ok }) => ok) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
