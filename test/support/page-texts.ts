import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/ops/package-root.ts";

interface PageTexts {
  readonly texts: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly notices: Readonly<Record<string, string>>;
}

/** The words of the traveler's page in a language, as the browser loads them. */
export async function pageTexts(language: string): Promise<PageTexts> {
  return import(pathToFileURL(join(packageRoot, "src/checkout/page/texts", `${language}.js`)).href);
}
