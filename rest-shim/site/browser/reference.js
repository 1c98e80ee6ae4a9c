/** The calls of the API reference: sends what the forms describe, and writes code samples. */

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60_000;
const token = /** @type {HTMLInputElement} */ (document.getElementById("token"));
const calls = /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll("form.call")]);

for (const form of calls) {
  const { body } = inputsOf(form);
  if (body) body.value = upcoming(body.value);
  form.addEventListener("input", () => writeSamples(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
  writeSamples(form);
}

/** A recorded body whose dates are moved by whole weeks if its pickup is past or less than a week ahead. */
function upcoming(text) {
  const body = JSON.parse(text);
  const dayOf = (name) => Date.parse(body[name].slice(0, 10));
  const dates = ["pickup_datetime", "return_datetime"].filter((name) => body[name]);
  const [ahead = WEEK_MILLISECONDS] = dates.map((name) => dayOf(name) - Date.now());
  const added = Math.max(0, Math.ceil(1 - ahead / WEEK_MILLISECONDS)) * WEEK_MILLISECONDS;
  for (const name of dates)
    body[name] = new Date(dayOf(name) + added).toISOString().slice(0, 10) + body[name].slice(10);
  return JSON.stringify(body, undefined, 2);
}

/** The request that a form describes; the body is sent as written. */
function requestOf(form) {
  const { method, path, scope } = form.dataset;
  const inputs = [...form.querySelectorAll("input")].filter(({ value }) => value !== "");
  const placed = (where) =>
    inputs.filter(({ dataset }) => dataset.in === where).map(({ name, value }) => [name, value]);
  const query = new URLSearchParams(placed("query")).toString();
  const values = Object.fromEntries(placed("path"));
  const filled = path.replace(/\{(\w+)\}/g, (whole, name) => (values[name] ? encodeURIComponent(values[name]) : whole));
  const body = form.elements.body?.value;
  const headers = Object.fromEntries([
    ...(scope === undefined ? [] : [["Authorization", `Bearer ${token.value}`]]),
    ...(body === undefined ? [] : [["Content-Type", "application/json"]]),
    ...placed("header"),
  ]);
  return { method, path: query ? `${filled}?${query}` : filled, headers, body };
}

async function send(form) {
  const { method, path, headers: sent, body } = requestOf(form);
  const status = form.querySelector("[role=status]");
  if (form.dataset.scope !== undefined && token.value === "") {
    const link = document.createElement("a");
    link.href = "#authorization";
    link.textContent = "Sign in first";
    status.replaceChildren(link, ": this operation needs an access token.");
    return;
  }
  status.textContent = "Sending …";
  const sentAt = performance.now();
  const response = await fetch(path, { method, headers: sent, body }).catch(() => undefined);
  if (!response) {
    status.textContent = "The server cannot be reached.";
    return;
  }
  const text = await response.text();
  const result = document.createElement("p");
  result.className = response.ok ? "result" : "result failed";
  result.textContent = `HTTP ${response.status} · ${Math.round(performance.now() - sentAt)} ms`;
  const headers = document.createElement("details");
  headers.append(
    Object.assign(document.createElement("summary"), { textContent: "Headers" }),
    preformatted([...response.headers].map((pair) => pair.join(": ")).join("\n")),
  );
  status.replaceChildren(result, preformatted(indented(text)), headers);
  if (response.status === 201) takeQuote(JSON.parse(text));
}

function preformatted(text) {
  const shown = document.createElement("pre");
  shown.tabIndex = 0;
  shown.textContent = text;
  return shown;
}

/** Fills the quote that was just created into the other forms. */
function takeQuote({ quote_id: quoteId, options: [{ fleet_id: fleetId }] }) {
  for (const form of calls) {
    const { quote_id: input, body } = inputsOf(form);
    if (input) input.value = quoteId;
    const sent = body ? JSON.parse(body.value) : {};
    if (sent.quote_id) body.value = indented(JSON.stringify({ ...sent, quote_id: quoteId, fleet_id: fleetId }));
    writeSamples(form);
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function writeSamples(form) {
  const { method, path, headers, body } = requestOf(form);
  const url = form.dataset.origin + path;
  const { Authorization: hasToken, ...others } = headers;
  const curl = [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${url}'`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...Object.entries(others).map((header) => `-H '${header.join(": ")}'`),
    ...(body === undefined ? [] : [`-d '${body.replaceAll("'", "'\\''")}'`]),
  ];
  form.querySelector(".curl").textContent = curl.join(" \\\n  ");
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
  form.querySelector(".javascript").textContent =
    `const response = await fetch(${JSON.stringify(url)}${argument});\nconsole.log(response.status, await response.json());`;
}

/**
 * By name.
 * @returns {Record<string, HTMLInputElement>}
 */
function inputsOf(form) {
  return form.elements;
}
