import type { Catalog } from "./catalog.ts";
import type { CatalogFolder } from "./catalog-folder.ts";
import type { OperatorRecord } from "./operator-schema.ts";
import { LANGUAGES } from "./translations-schema.ts";

interface Logo {
  readonly type: "image/png" | "image/svg+xml";
  readonly content: Buffer;
}

/** The operator's contact, brand and texts for travelers. */
export interface Operator extends Omit<OperatorRecord, "logo"> {
  readonly logo?: Logo | undefined;
}

const FILE = "operator.json";
const MOST_BYTES = 64 * 1024;
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** Reads the file and the logo. */
export function loadOperator(folder: CatalogFolder): Operator {
  const { logo: file, ...operator } = folder.read("operator");
  return file === undefined ? operator : { ...operator, logo: logoIn(file) };

  function logoIn(file: string): Logo | undefined {
    if (!folder.files.includes(file)) {
      folder.report(FILE, "logo", `the folder has no file ${file}: add it`);
      return undefined;
    }
    const content = folder.bytes(file);
    const isPng = file.endsWith(".png");
    if (!(isPng ? content.subarray(0, PNG.length).equals(PNG) : content.includes("<svg")))
      folder.report(file, "", `not a picture in ${isPng ? "PNG" : "SVG"}`);
    if (content.length > MOST_BYTES)
      folder.report(file, "", `${content.length} bytes; at most ${MOST_BYTES} are allowed`);
    return { type: isPng ? "image/png" : "image/svg+xml", content };
  }
}

/** The operator with its texts for travelers in a language; in English where there is no translation. */
export function operatorIn(
  { operator, translations }: Pick<Catalog, "operator" | "translations">,
  language: string,
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
