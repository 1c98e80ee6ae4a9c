import { readPackageFile } from "../../src/ops/package-root.ts";

interface PageTexts {
  readonly texts: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly notices: Readonly<Record<string, string>>;
}

/** The words of a page, by default the traveler's, in a language. */
export function pageTexts(language: string, folder = "src/service/checkout/page"): PageTexts {
  return JSON.parse(readPackageFile(`${folder}/texts/${language}.json`));
}
