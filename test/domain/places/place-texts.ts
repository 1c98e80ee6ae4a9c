import texts from "./place-texts.json" with { type: "json" };

/** Texts of places as people write them, each with what it means; also sent to the built program and to the sources. */
export const FOUND = Object.entries(texts.found);

/** With the ids of the candidates, in order. */
export const UNCLEAR = Object.entries(texts.unclear);

export const OUTSIDE: readonly string[] = texts.outside;

export const WITHOUT_PLACE: Readonly<Record<string, string>> = {
  empty: "",
  blank: " \t\u00a0\u3000 ",
  "512 letters": "x".repeat(512),
  "512 spaces": " ".repeat(512),
  "512 commas": ",".repeat(512),
  "512 digits": "8".repeat(512),
  "170 words": "ab ".repeat(170),
  "128 comma parts": "ab, ".repeat(128),
  "128 postcodes": "800, ".repeat(102),
  "NUL and control characters": "\u0000\u0001\u001b[31m",
  emoji: "🚕✈️🏔️",
  "right to left": "\u202eمطار زيورخ\u202c",
  "a lone surrogate": "\ud83d",
  "names of object members": "constructor",
  "a prototype": "__proto__",
  punctuation: "'; DROP TABLE places; --",
  "a path": "../../etc/passwd",
  "combining marks": `a${"\u0301".repeat(511)}`,
};
