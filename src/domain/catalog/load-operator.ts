import type { Catalog } from "./catalog.ts";
import type { Findings } from "./finding.ts";
import { LANGUAGES } from "./operator-schema.ts";
import { type CatalogContents, contentOf } from "./read-contents.ts";

/** The operator's contact, brand and texts for travelers. */
export type Operator = Readonly<ReturnType<typeof operatorOf>>;

const MOST_BYTES = 64 * 1024;
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

export function operatorOf(contents: CatalogContents) {
  const { logo: file = "", ...operator } = contentOf(contents, "operator");
  const picture = contents.pictures.get(file);
  const type = file.endsWith(".png") ? ("image/png" as const) : ("image/svg+xml" as const);
  return { ...operator, ...(picture && { logo: { type, content: Buffer.from(picture) } }) };
}

/** A logo that is missing, no picture, or too large. */
export function checkLogo(contents: CatalogContents, { mistake }: Findings): void {
  const { logo: file } = contentOf(contents, "operator");
  if (file === undefined) return;
  const content = operatorOf(contents).logo?.content;
  if (!content) return mistake("operator.json", "logo", `the folder has no file ${file}: add it`);
  const isPng = file.endsWith(".png");
  if (!(isPng ? content.subarray(0, PNG.length).equals(PNG) : content.includes("<svg")))
    mistake(file, "", `not a picture in ${isPng ? "PNG" : "SVG"}`);
  if (content.length > MOST_BYTES) mistake(file, "", `${content.length} bytes; at most ${MOST_BYTES} are allowed`);
}

/** The operator with its texts for travelers in a language; in English where there is no translation. */
export function operatorIn(
  { operator, translations }: Pick<Catalog, "operator" | "translations">,
  language = "en",
): Operator {
  const inLanguage = (text: string | undefined) => {
    const into = LANGUAGES.find((each) => each === language);
    return (into && text !== undefined && Object.hasOwn(translations, text) && translations[text]?.[into]) || text;
  };
  const { license, phoneHours, paymentMethods } = operator;
  return {
    ...operator,
    license: inLanguage(license),
    phoneHours: inLanguage(phoneHours),
    paymentMethods: inLanguage(paymentMethods),
  };
}
