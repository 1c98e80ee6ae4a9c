type Send = (url: URL, init: RequestInit) => Promise<Response>;

export type CookieJar = Map<string, { readonly value: string; readonly path: string }>;

/**
 * Follows redirects and keeps cookies as a browser does, until it is sent to another origin than it started at, which
 * is its `location` then. `form` is posted to the start. Otherwise `url` is that of the page it ends at.
 */
export async function browse(start: URL, jar: CookieJar = new Map(), send: Send = fetch, form?: string) {
  let url = start;
  for (let step = 0; step < 10; step += 1) {
    const cookies = [...jar].filter(([, { path }]) => url.pathname.startsWith(path));
    const cookie = cookies.map(([name, { value }]) => `${name}=${value}`).join("; ");
    const headers = { cookie, accept: "text/html" };
    const isForm = form !== undefined && step === 0;
    const post = isForm ? { method: "POST", body: new URLSearchParams(form) } : {};
    const response = await send(url, { redirect: "manual", headers, ...post });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const path = attributes.find((attribute) => attribute.startsWith("path="))?.slice(5) ?? "/";
      jar.set(pair.slice(0, pair.indexOf("=")), { value: pair.slice(pair.indexOf("=") + 1), path });
    }
    const target = response.headers.get("location");
    const text = await response.text();
    if (!target) return { status: response.status, text, location: undefined, url, headers: response.headers };
    url = new URL(target, url);
    if (url.origin !== start.origin)
      return { status: response.status, text: "", location: url, url, headers: response.headers };
  }
  throw new Error("too many redirects");
}
