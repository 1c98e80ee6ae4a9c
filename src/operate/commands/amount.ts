const AMOUNT = /^(?:CHF )?([-−]?)(\d{1,3}(?:['’ \u00a0\u202f]\d{3})+|\d{1,9})(?:[.,](?:(\d{1,2})|[-–]))?$/;

/** What `rappenOf` reads, for messages. */
export const ALLOWED_AMOUNT = "francs such as 490, 490.05, 490,05 or 1'490.05";

/** An amount as people in Switzerland write it, in Rappen, negative with a minus sign; `undefined` for any other text. */
export function rappenOf(text: string): number | undefined {
  const [, sign, francs, rappen = ""] = AMOUNT.exec(text.trim()) ?? [];
  if (francs === undefined) return undefined;
  return Number(francs.replace(/\D/g, "") + rappen.padEnd(2, "0")) * (sign ? -1 : 1);
}
