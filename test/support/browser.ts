export type CookieJar = Map<string, { readonly value: string; readonly path: string }>;

/**
 * Follows redirects and keeps cookies as a browser does, until it is sent to another origin than it started at, which
 * is its `location` then.
 */
export async function browse(start: URL, jar: CookieJar = new Map()) {
  let url = start;
  for (let step = 0; step < 10; step += 1) {
    const cookies = [...jar].filter(([, { path }]) => url.pathname.startsWith(path));
    const cookie = cookies.map(([name, { value }]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie, accept: "text/html" } });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const path = attributes.find((attribute) => attribute.startsWith("path="))?.slice(5) ?? "/";
      jar.set(pair.slice(0, pair.indexOf("=")), { value: pair.slice(pair.indexOf("=") + 1), path });
    }
    const target = response.headers.get("location");
    const text = await response.text();
    if (!target) return { status: response.status, text, location: undefined };
    url = new URL(target, url);
    if (url.origin !== start.origin) return { status: response.status, text: "", location: url };
  }
  throw new Error("too many redirects");
}
