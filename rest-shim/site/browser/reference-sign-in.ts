/** Gets an access token for the API reference, and keeps it while the tab is open. */

import { byId } from "../../../src/service/checkout/page/elements.ts";

interface Issuer {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly audience: string;
  readonly scopes: readonly string[];
}

/** Keeps the state of a sign-in until the issuer redirects back, and the token. */
const { sessionStorage: kept } = window;
const token = byId("token") as HTMLInputElement;
const signOut = byId("sign-out");
/** Absent where the issuer is not known. */
const signIn = document.querySelector<HTMLFormElement>("#sign-in");
const issuer: Issuer = JSON.parse(signIn?.dataset.oauth ?? "{}");

signIn?.addEventListener("submit", (event) => {
  event.preventDefault();
  const isForPerson = event.submitter?.getAttribute("value") !== "client_credentials";
  const secret = inputNamed("client_secret");
  if (!isForPerson && secret.value === "") {
    secret.focus();
    return showFailure({ message: "enter the client secret that the server printed when it started, or sign in." });
  }
  const client = { client_id: inputNamed("client_id").value, client_secret: secret.value };
  const taken = isForPerson ? authorize() : takeToken({ grant_type: "client_credentials", ...client });
  taken.catch(showFailure);
});
token.value = kept.getItem("token") ?? "";
token.addEventListener("input", () => kept.setItem("token", token.value));
signOut.addEventListener("click", () => useToken("", "Signed out."));
signOut.hidden = token.value === "";
finishSignIn().catch(showFailure);

/** Redirects to the issuer, which redirects back with a code (RFC 7636). */
async function authorize(): Promise<void> {
  const [verifier, state] = [randomText(), randomText()];
  const clientId = inputNamed("client_id").value;
  kept.setItem("sign-in", JSON.stringify({ verifier, state, clientId }));
  const challenge = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const { authorizationUrl, audience, scopes } = issuer;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: location.origin + location.pathname,
    audience,
    scope: scopes.join(" "),
    state,
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: "S256",
  });
  location.assign(`${authorizationUrl}?${query}`);
}

async function finishSignIn(): Promise<void> {
  const answer = new URLSearchParams(location.search);
  if (!signIn || !answer.has("state")) return;
  history.replaceState(null, "", `${location.pathname}#authorization`);
  const { verifier, state, clientId } = JSON.parse(kept.getItem("sign-in") ?? "{}");
  kept.removeItem("sign-in");
  if (answer.get("state") !== state) throw new Error("the answer belongs to another sign-in");
  if (answer.has("error")) throw new Error(answer.get("error_description") ?? String(answer.get("error")));
  await takeToken({
    grant_type: "authorization_code",
    client_id: clientId,
    code: answer.get("code") ?? "",
    code_verifier: verifier,
    redirect_uri: location.origin + location.pathname,
  });
}

async function takeToken(fields: Readonly<Record<string, string>>): Promise<void> {
  const { tokenUrl, audience, scopes } = issuer;
  const response = await fetch(tokenUrl, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...fields, audience, scope: scopes.join(" ") }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description ?? body.error);
  useToken(body.access_token, `Signed in; the token is good for ${Math.round(body.expires_in / 60)} minutes.`);
}

function useToken(text: string, said: string): void {
  token.value = text;
  kept.setItem("token", text);
  signOut.hidden = text === "";
  byId("signed-in").textContent = said;
}

function showFailure({ message }: Pick<Error, "message">): void {
  byId("signed-in").textContent = `No token: ${message}`;
}

function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function inputNamed(name: string): HTMLInputElement {
  return signIn?.elements.namedItem(name) as HTMLInputElement;
}
