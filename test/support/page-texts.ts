import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/ops/package-root.ts";

interface PageTexts {
  readonly texts: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly notices: Readonly<Record<string, string>>;
}

/** The words of a page, by default the traveler's, in a language, as the browser loads them. */
export async function pageTexts(language: string, folder = "src/checkout/page"): Promise<PageTexts> {
  return import(pathToFileURL(join(packageRoot, folder, "texts", `${language}.js`)).href);
}
