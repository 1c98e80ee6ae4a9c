/** Gets an access token for the API reference, and keeps it while the tab is open. */

/** Keeps the state of a sign-in until the issuer redirects back, and the token. */
const { sessionStorage: kept } = window;
const token = /** @type {HTMLInputElement} */ (document.getElementById("token"));
const signIn = /** @type {HTMLFormElement} */ (document.getElementById("sign-in"));
const signOut = /** @type {HTMLButtonElement} */ (document.getElementById("sign-out"));
/** Absent where the issuer is not known. @type {Record<string, HTMLInputElement>} */
const inputs = /** @type {any} */ (signIn?.elements);

signIn?.addEventListener("submit", (event) => {
  event.preventDefault();
  const isForPerson = event.submitter?.getAttribute("value") !== "client_credentials";
  const { client_secret: secret } = inputs;
  if (!isForPerson && secret.value === "") {
    secret.focus();
    return showFailure({ message: "enter the client secret that the server printed when it started, or sign in." });
  }
  (isForPerson
    ? authorize()
    : takeToken({ grant_type: "client_credentials", client_id: inputs.client_id.value, client_secret: secret.value })
  ).catch(showFailure);
});
token.value = kept.getItem("token") ?? "";
token.addEventListener("input", () => kept.setItem("token", token.value));
signOut.addEventListener("click", () => useToken("", "Signed out."));
signOut.hidden = token.value === "";
finishSignIn().catch(showFailure);

/** Redirects to the issuer, which redirects back with a code (RFC 7636). */
async function authorize() {
  const [verifier, state] = [randomText(), randomText()];
  const clientId = inputs.client_id.value;
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
