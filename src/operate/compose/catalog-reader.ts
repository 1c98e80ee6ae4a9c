import { CatalogError, type Finding } from "../../domain/catalog/finding.ts";
import type { Json } from "../../domain/catalog/overlay.ts";
import type { CatalogContents } from "../../domain/catalog/read-contents.ts";
import { checkedPricing } from "./embedded-pricing.ts";

/** So many records take the server about a millisecond to receive. */
const MOST_RECORDS = 1_000;

/** What is answered first: what a catalog is read from, without its files, and the faults in it; or its mistakes. */
export type CatalogHeader =
  | (Omit<CatalogContents, "files"> & { readonly refusals: readonly Finding[]; readonly mistakes?: undefined })
  | { readonly mistakes: readonly Finding[] };

/** What is answered then, until there is nothing more: a field of a file, or some of the records of a list. */
export type CatalogPiece = readonly [file: string, field: string, value: unknown];

/**
 * A process beside the server reads and checks a catalog folder, which takes seconds for a large one, and hands it over in
 * pieces so small that the server answers calls between any two.
 */
const [, , folder] = process.argv;
if (folder !== undefined && process.send) {
  const answers = answersOf(folder);
  process.on("message", async () => process.send?.((await answers.next()).value ?? null));
}

export async function* answersOf(folder: string): AsyncGenerator<CatalogHeader | CatalogPiece> {
  try {
    const { read, faults } = await checkedPricing(folder);
    const { files, ...others } = read.contents;
    yield { ...others, refusals: faults };
    for (const [file, content] of files) yield* piecesOf(file, content);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    // An error loses its class on the way to another process.
    yield { mistakes: error.findings };
  }
}

function* piecesOf(file: string, content: Json): Generator<CatalogPiece> {
  for (const [field, value] of Object.entries(content)) {
    const isLong = Array.isArray(value) && value.length > MOST_RECORDS;
    for (let at = 0; isLong && at < value.length; at += MOST_RECORDS)
      yield [file, field, value.slice(at, at + MOST_RECORDS)];
    if (!isLong) yield [file, field, value];
  }
}
