import type { IncomingMessage } from "node:http";

const MAX_BODY_BYTES = 16 * 1024;

/** The parameters of a JSON object or a form; `undefined` where the body is neither. */
export function parametersOf(body: string, type: string): URLSearchParams | undefined {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams(body);
  if (!/^application\/json\b/i.test(type) || !body.trimStart().startsWith("{")) return undefined;
  try {
    const fields = Object.entries<unknown>(JSON.parse(body));
    return new URLSearchParams(fields.filter((field): field is [string, string] => typeof field[1] === "string"));
  } catch {
    return undefined;
  }
}

/**
 * Replaces a request's body, which nothing has read yet, by what `rewrite` makes of it. Resolves to `false`, with the
 * body consumed, where it is longer than 16 KiB or nothing is made of it.
 */
export function rewriteBody(request: IncomingMessage, rewrite: (body: string) => string | undefined) {
  const chunks: Buffer[] = [];
  return new Promise<boolean>((resolve) => {
    for (const event of ["end", "error", "close"]) request.once(event, () => resolve(false));
    request.on("readable", function onReadable() {
      for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      if (!request.complete && body.length <= MAX_BODY_BYTES) return;
      request.off("readable", onReadable);
      const rewritten = body.length > MAX_BODY_BYTES ? undefined : rewrite(body.toString());
      // In the tick of the last read, because a stream that has ended takes nothing back.
      if (rewritten) request.unshift(rewritten);
      resolve(Boolean(rewritten));
    });
  });
}
