import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { catalogOf } from "../../domain/catalog/catalog.ts";
import { CatalogError } from "../../domain/catalog/finding.ts";
import type { CatalogContents } from "../../domain/catalog/read-contents.ts";
import { createPlaceIndex } from "../../domain/places/place-index.ts";
import { packageRoot } from "../../ops/package-root.ts";
import type { CatalogHeader, CatalogPiece } from "./catalog-reader.ts";
import { type checkedPricing, pricingOf } from "./embedded-pricing.ts";

/** The sources run as they are; the build has the reader beside the program. */
const READER = import.meta.url.endsWith(".ts")
  ? new URL("catalog-reader.ts", import.meta.url)
  : join(packageRoot, "catalog-reader.js");

type Read = Pick<Awaited<ReturnType<typeof checkedPricing>>, "loaded" | "faults">;

/** The same as `checkedPricing`, but read and checked in a process of its own, while this one serves. */
export async function readBeside(folder: string): Promise<Read> {
  const reader = fork(READER, [folder], { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "ipc"] });
  try {
    const { contents, faults } = await received(folder, reader);
    await nextTurn();
    const catalog = catalogOf(contents);
    await nextTurn();
    const placeIndex = createPlaceIndex(catalog);
    await nextTurn();
    const loaded = pricingOf(catalog, placeIndex);
    await nextTurn();
    return { loaded, faults };
  } finally {
    reader.kill();
  }
}

async function received(folder: string, reader: ChildProcess) {
  const ended = once(reader, "exit").then(([code, signal]) => {
    throw new Error(`the process that reads the catalog has ended (${code ?? signal})`);
  });
  ended.catch(() => {});
  const first: CatalogHeader = await answer();
  if (first.mistakes) throw new CatalogError(folder, first.mistakes);
  const { refusals, mistakes: _, ...others } = first;
  const files = new Map<string, Record<string, unknown>>();
  for (let piece: CatalogPiece | null = await answer(); piece; piece = await answer()) {
    const [file, field, value] = piece;
    const content = files.get(file) ?? {};
    const before = content[field];
    if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
    else content[field] = value;
    files.set(file, content);
  }
  const contents: CatalogContents = { ...others, files };
  return { contents, faults: refusals };

  async function answer() {
    reader.send("next");
    const [given] = await Promise.race([once(reader, "message"), ended]);
    return given;
  }
}
