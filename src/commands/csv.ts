/** One line of CSV; empty where a cell is `null`. A text that a spreadsheet would take for a formula is kept from being one. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(",")}\n`;
}

function cellOf(value: string | number | null): string {
  if (typeof value !== "string") return String(value ?? "");
  const safe = /^[=+@\t-]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
