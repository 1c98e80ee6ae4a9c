/**
 * Folds a name so that the ways people write it become one: case, accents and umlauts (ü = ue = u), ß, hyphens, dots
 * and apostrophes, and St = Sankt = Saint. Spaces separate words; the result may be empty.
 */
export function fold(text: string): string {
  const plain = plainLetters(text).replace(/([aou])e/g, "$1");
  const shortened = plain.includes("s") ? plain.replace(/\b(sankt|saint|sainte|santa|ste)\b/g, "st") : plain;
  return (shortened.includes(",") ? shortened.replace(/ *, */g, ",") : shortened).trim();
}

/** The text in lower case without accents; everything but letters, digits and commas becomes a space. */
function plainLetters(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower.replace(/[^a-z0-9,]+/g, " ");
  const letters = lower.normalize("NFKD");
  // Names in the countries served are ASCII without their accents, and patterns over all of Unicode are slow.
  const bare = letters.replace(/[\u0300-\u036f]/g, "");
  if (PLAIN.test(bare)) return bare.replace(/[^a-z0-9,]+/g, " ");
  return letters
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ø/g, "o")
    .replace(/[œæ]/g, (letter) => (letter === "œ" ? "o" : "a"))
    .replace(/[^\p{L}\p{N},]+/gu, " ");
}

/** ASCII in lower case. */
const PLAIN = /^[\x20-\x40\x5b-\x7e]*$/;

/** The comma parts of a folded text, empty ones left out. */
export function partsOf(folded: string): readonly string[] {
  return folded.split(",").filter((part) => part !== "");
}
