/**
 * The API reference: calls, which send what the forms describe, with code samples; and contents, with search and the mark
 * of the section that is read.
 */
import { byId, element } from "../../../src/service/checkout/page/elements.ts";
import "./reference-sign-in.ts";

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60_000;
const token = byId("token") as HTMLInputElement;
const calls = [...document.querySelectorAll<HTMLFormElement>("form.call")];

for (const form of calls) {
  const body = inputNamed(form, "body");
  if (body) body.value = upcoming(body.value);
  form.addEventListener("input", () => writeSamples(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
  writeSamples(form);
}

/** A recorded body whose dates are moved by whole weeks if its pickup is past or less than a week ahead. */
function upcoming(text: string): string {
  const body = JSON.parse(text);
  const dayOf = (name: string) => Date.parse(body[name].slice(0, 10));
  const dates = ["pickup_datetime", "return_datetime"].filter((name) => body[name]);
  const [ahead = WEEK_MILLISECONDS] = dates.map((name) => dayOf(name) - Date.now());
  const added = Math.max(0, Math.ceil(1 - ahead / WEEK_MILLISECONDS)) * WEEK_MILLISECONDS;
  for (const name of dates)
    body[name] = new Date(dayOf(name) + added).toISOString().slice(0, 10) + body[name].slice(10);
  return JSON.stringify(body, undefined, 2);
}

/** The request that a form describes; the body is sent as written. */
function requestOf(form: HTMLFormElement) {
  const { method = "GET", path = "", scope } = form.dataset;
  const inputs = [...form.querySelectorAll("input")].filter(({ value }) => value !== "");
  const placed = (where: string) =>
    inputs.flatMap(({ dataset, name, value }) => (dataset.in === where ? [[name, value]] : []));
  const query = new URLSearchParams(placed("query")).toString();
  const values: Record<string, string> = Object.fromEntries(placed("path"));
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) => (values[name] ? encodeURIComponent(values[name]) : whole));
  const body = inputNamed(form, "body")?.value;
  const headers: Record<string, string> = Object.fromEntries([
    ...(scope === undefined ? [] : [["Authorization", `Bearer ${token.value}`]]),
    ...(body === undefined ? [] : [["Content-Type", "application/json"]]),
    ...placed("header"),
  ]);
  return { method, path: query ? `${filled}?${query}` : filled, headers, body };
}

async function send(form: HTMLFormElement): Promise<void> {
  const { method, path, headers: sent, body } = requestOf(form);
  const status = partOf(form, "[role=status]");
  if (form.dataset.scope !== undefined && token.value === "") {
    const link = Object.assign(element("a", "", "Sign in first"), { href: "#authorization" });
    status.replaceChildren(link, ": this operation needs an access token.");
    return;
  }
  status.textContent = "Sending …";
  const sentAt = performance.now();
  const request = { method, headers: sent, ...(body !== undefined && { body }) };
  const response = await fetch(path, request).catch(() => undefined);
  if (!response) {
    status.textContent = "The server cannot be reached.";
    return;
  }
  const text = await response.text();
  const took = `HTTP ${response.status} · ${Math.round(performance.now() - sentAt)} ms`;
  const result = element("p", response.ok ? "result" : "result failed", took);
  const fields = [...response.headers].map((pair) => pair.join(": ")).join("\n");
  const headers = element("details", "", element("summary", "", "Headers"), preformatted(fields));
  status.replaceChildren(result, preformatted(indented(text)), headers);
  if (response.status === 201) takeQuote(JSON.parse(text));
}

function preformatted(text: string): HTMLElement {
  return Object.assign(element("pre", "", text), { tabIndex: 0 });
}

/** Fills the quote that was just created into the other forms. */
function takeQuote({ quote_id: quoteId, options }: { quote_id: string; options: { fleet_id: number }[] }): void {
  for (const form of calls) {
    const [input, body] = ["quote_id", "body"].map((name) => inputNamed(form, name));
    if (input) input.value = quoteId;
    const sent = body ? JSON.parse(body.value) : {};
    if (body && sent.quote_id)
      body.value = indented(JSON.stringify({ ...sent, quote_id: quoteId, fleet_id: options[0]?.fleet_id }));
    writeSamples(form);
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function writeSamples(form: HTMLFormElement): void {
  const { method, path, headers, body } = requestOf(form);
  const url = form.dataset.origin + path;
  const { Authorization: hasToken, ...others } = headers;
  const curl = [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${url}'`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(others).map((header) => `-H '${header.join(": ")}'`),
    ...(body === undefined ? [] : [`-d '${body.replaceAll("'", "'\\''")}'`]),
  ];
  partOf(form, ".curl").textContent = curl.join(" \\\n  ");
  const headerLines = [
    ...(hasToken ? ['Authorization: "Bearer " + token'] : []),
    ...Object.entries(others).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headerLines.length > 0 ? [`headers: { ${headerLines.join(", ")} }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${body.replaceAll("\n", "\n  ")})`]),
  ];
  const argument = options.length > 0 ? `, {\n  ${options.join(",\n  ")},\n}` : "";
  partOf(form, ".javascript").textContent =
    `const response = await fetch(${JSON.stringify(url)}${argument});\nconsole.log(response.status, await response.json());`;
}

function inputNamed(form: HTMLFormElement, name: string): HTMLInputElement | undefined {
  const found = form.elements.namedItem(name);
  return found instanceof Element ? (found as HTMLInputElement) : undefined;
}

function partOf(form: HTMLFormElement, selector: string): Element {
  return form.querySelector(selector) ?? form;
}

const contents = byId("contents");
const search = byId("search") as HTMLInputElement;
const sections = [...document.querySelectorAll<HTMLElement>("main > section")];

contents.addEventListener("click", ({ target }) => {
  const isLink = target instanceof Element && target.closest("a");
  if (isLink && contents.matches(":popover-open")) contents.hidePopover();
});
search.addEventListener("input", filter);
markCurrent();

/** Marks the section on the screen in the contents. */
function markCurrent(): void {
  const headings = new IntersectionObserver(
    (entries) => {
      const shown = entries.find(({ isIntersecting }) => isIntersecting)?.target.querySelector("h2");
      if (!shown) return;
      for (const link of contents.querySelectorAll("a")) {
        if (link.hash === `#${shown.id}`) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-10% 0px -80%" },
  );
  for (const section of sections) headings.observe(section);
}

/** Shows only the sections that contain every word of the search, and their links. */
function filter(): void {
  const words = search.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const section of sections) {
    const text = section.textContent?.toLowerCase() ?? "";
    const isFound = words.every((word) => text.includes(word));
    if (isFound) count += 1;
    // Who sends what was found needs a token.
    section.hidden = !isFound && !section.querySelector("#authorization");
    const id = section.querySelector("h2")?.id;
    for (const item of contents.querySelectorAll<HTMLElement>(`li:has(a[href="#${id}"])`)) item.hidden = section.hidden;
  }
  const found = count === 0 ? "Nothing found: search for operations, fields or error codes." : `${count} found`;
  byId("found").textContent = search.value === "" ? "" : found;
}
