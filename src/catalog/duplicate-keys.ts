/** Duplicate keys of one object in a JSON text, of which `JSON.parse` silently keeps the last. Empty for invalid JSON. */
export function duplicateKeys(json: string): readonly string[] {
  const found: string[] = [];
  const open: (Set<string> | undefined)[] = [];
  // Strings (with a colon after those that are keys), and the brackets that open and close objects and lists.
  for (const [token, text, colon] of json.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined && text !== undefined) {
      const keys = open.at(-1);
      if (keys?.has(text)) found.push(text);
      keys?.add(text);
    }
  }
  return found;
}
