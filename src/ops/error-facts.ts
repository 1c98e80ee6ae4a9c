/**
 * An error as it is logged: its type, code, message and stack, and its causes. Other fields are left out, because clients
 * of databases and services put keys and texts of calls there, and so is what `JSON.parse` quotes.
 */
export function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = "", cause, code } = error as Error & { code?: unknown };
  return {
    type: name,
    ...(typeof code === "string" && { code }),
    message: error instanceof SyntaxError ? "not valid JSON" : message,
    stack: stack
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .join("\n"),
    ...(cause !== undefined && { cause: errorFacts(cause) }),
  };
}
