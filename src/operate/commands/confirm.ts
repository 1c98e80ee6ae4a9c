import { referenceOf } from "../../contract/notice-formats.ts";
import { loadCatalog } from "../../domain/catalog/catalog.ts";
import { localDateTime } from "../../ops/local-time.ts";
import { openSales } from "../compose/compose-storage.ts";
import { type CommandCall, CommandFailed, wrongOption } from "./command.ts";
import { askServers } from "./control.ts";
import { findSale, idOf } from "./find.ts";
import { printable } from "./terminal-text.ts";

const MOST_HOURS = 24;

export const options = {
  hours: { value: "N", meaning: `how long it can be paid, 1 to ${MOST_HOURS}; default: ${MOST_HOURS}` },
} as const;

/**
 * The `confirm` command: a running server makes a quote that the operator has to confirm payable at its price. Exits
 * with 1 where none does.
 */
export async function run({ config, values, operands, opened }: CommandCall<typeof options>): Promise<undefined> {
  const [text = ""] = operands;

  const hours = Number(values.hours ?? MOST_HOURS);
  if (!Number.isInteger(hours) || hours < 1 || hours > MOST_HOURS)
    throw wrongOption("hours", values.hours, `allowed: an integer from 1 to ${MOST_HOURS}`);
  const sale = await findSale(opened(await openSales(config)), idOf(text.trim()), config);
  if (!sale) throw new CommandFailed(`nothing is kept of "${printable(text)}"`);
  const { quoteId: id } = sale.created;
  const request = { command: "confirm", id, hours } as const;
  const mistakes: string[] = [];
  for await (const { pid, mistake, expiresAt } of askServers<{ readonly expiresAt: string }>(config.dataDir, request)) {
    if (mistake !== undefined) {
      mistakes.push(`process ${pid}: ${mistake}`);
      continue;
    }
    const until = localDateTime(new Date(expiresAt), loadCatalog(config.catalogDir).tariff.timeZone);
    process.stdout.write(`${id} (${referenceOf(id)}) can be paid at its price until ${until}\n`);
    return;
  }
  throw new CommandFailed(mistakes.join("\n"));
}
