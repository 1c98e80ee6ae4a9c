/** The API reference: gets tokens, sends calls, writes code samples, and searches. */

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60_000;
/** Keeps the state of a sign-in until the issuer redirects back, and the token while the tab is open. */
const { sessionStorage: kept } = window;
const contents = document.getElementById("contents");
const search = /** @type {HTMLInputElement} */ (document.getElementById("search"));
const token = /** @type {HTMLInputElement} */ (document.getElementById("token"));
const signIn = /** @type {HTMLFormElement} */ (document.getElementById("sign-in"));
const signOut = /** @type {HTMLButtonElement} */ (document.getElementById("sign-out"));
const calls = /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll("form.call")]);
const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main > section")]);

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
contents.addEventListener("click", ({ target }) => {
  const isLink = target instanceof Element && target.closest("a");
  if (isLink && contents.matches(":popover-open")) contents.hidePopover();
});
search.addEventListener("input", filter);
signIn?.addEventListener("submit", (event) => {
  event.preventDefault();
  const isForPerson = event.submitter?.getAttribute("value") !== "client_credentials";
  const { client_secret: secret } = inputsOf(signIn);
  if (!isForPerson && secret.value === "") {
    secret.focus();
    return showFailure({ message: "enter the client secret that the server printed when it started, or sign in." });
  }
  (isForPerson ? authorize() : takeToken({ grant_type: "client_credentials", ...secretOf(signIn) })).catch(showFailure);
});
token.value = kept.getItem("token") ?? "";
token.addEventListener("input", () => kept.setItem("token", token.value));
signOut.addEventListener("click", () => useToken("", "Signed out."));
signOut.hidden = token.value === "";
finishSignIn().catch(showFailure);
markCurrent();

/** Marks the section on the screen in the contents. */
function markCurrent() {
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

/** Shows only the sections that contain every word of the search, and their links. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const section of sections) {
    const text = section.textContent.toLowerCase();
    const isFound = words.every((word) => text.includes(word));
    if (isFound) count += 1;
    // Who sends what was found needs a token.
    section.hidden = !isFound && !section.querySelector("#authorization");
    const id = section.querySelector("h2")?.id;
    for (const link of contents.querySelectorAll(`a[href="#${id}"]`)) link.parentElement.hidden = section.hidden;
  }
  const found = count === 0 ? "Nothing found: search for operations, fields or error codes." : `${count} found`;
  document.getElementById("found").textContent = search.value === "" ? "" : found;
  highlight(words.filter(Boolean));
}

/** Marks the words of the search in the sections, in browsers that can. */
function highlight(words) {
  if (!globalThis.Highlight) return;
  const ranges = sections.filter(({ hidden }) => !hidden).flatMap((section) => rangesOf(section, words));
  CSS.highlights.set("found", new Highlight(...ranges));
}

/** @param {string[]} words in lower case */
function rangesOf(section, words) {
  const ranges = [];
  const texts = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = /** @type {Text} */ (texts.currentNode);
    const text = node.data.toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const [startContainer, endContainer, startOffset, endOffset] = [node, node, at, at + word.length];
        ranges.push(new StaticRange({ startContainer, startOffset, endContainer, endOffset }));
      }
    }
  }
  return ranges;
}

function secretOf(form) {
  const { client_id: id, client_secret: secret } = inputsOf(form);
  return { client_id: id.value, client_secret: secret.value };
}

/**
 * By name.
 * @returns {Record<string, HTMLInputElement>}
 */
function inputsOf(form) {
  return form.elements;
}

/** Redirects to the issuer, which redirects back with a code (RFC 7636). */
async function authorize() {
  const [verifier, state] = [randomText(), randomText()];
  const clientId = inputsOf(signIn).client_id.value;
  kept.setItem("sign-in", JSON.stringify({ verifier, state, clientId }));
  const challenge = base64url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
  );
  const { authorizationUrl, audience, scopes } = JSON.parse(signIn.dataset.oauth);
  location.assign(
    `${authorizationUrl}?${new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: location.origin + location.pathname,
      audience,
      scope: scopes.join(" "),
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
    })}`,
  );
}

async function finishSignIn() {
  const answer = new URLSearchParams(location.search);
  if (!signIn || !answer.has("state")) return;
  history.replaceState(null, "", `${location.pathname}#authorization`);
  const { verifier, state, clientId } = JSON.parse(kept.getItem("sign-in") ?? "{}");
  kept.removeItem("sign-in");
  if (answer.get("state") !== state) throw new Error("the answer belongs to another sign-in");
  if (answer.has("error")) throw new Error(answer.get("error_description") ?? answer.get("error"));
  await takeToken({
    grant_type: "authorization_code",
    client_id: clientId,
    code: answer.get("code"),
    code_verifier: verifier,
    redirect_uri: location.origin + location.pathname,
  });
}

async function takeToken(fields) {
  const { tokenUrl, audience, scopes } = JSON.parse(signIn.dataset.oauth);
  const response = await fetch(tokenUrl, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...fields, audience, scope: scopes.join(" ") }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description ?? body.error);
  useToken(body.access_token, `Signed in; the token is good for ${Math.round(body.expires_in / 60)} minutes.`);
}

function useToken(text, said) {
  token.value = text;
  kept.setItem("token", text);
  signOut.hidden = text === "";
  document.getElementById("signed-in").textContent = said;
}

function showFailure({ message }) {
  document.getElementById("signed-in").textContent = `No token: ${message}`;
}

function randomText() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
