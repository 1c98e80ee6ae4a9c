import { writeFile } from "node:fs/promises";
import type { TerminalQuotes } from "../compose/compose-terminal.ts";
import { ConfigError } from "../config/setting.ts";

/** A picture of its own has no page around it to take its colors from. */
const COLORS =
  "<style>svg{color:#17262b;background:#fff}@media(prefers-color-scheme:dark){svg{color:#eaf0f1;background:#182225}}</style>";

/** Writes the picture of the journey that was quoted last. Throws ConfigError where the file cannot be written. */
export async function writeMap(file: string, quotes: TerminalQuotes): Promise<void> {
  const svg = await quotes.drawLast();
  if (svg === undefined) return;
  try {
    await writeFile(file, `${svg.replace("</title>", `</title>${COLORS}`)}\n`);
  } catch (error) {
    throw new ConfigError(`--map ${file} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
