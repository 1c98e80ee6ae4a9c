import assert from "node:assert/strict";
import { test } from "node:test";
import { runCommand } from "../../support/command-line.ts";

type Environment = Readonly<Record<string, string>>;

const LOUD = { TRANSFER_LOG_LEVEL: "loud" };
const LEVELS = /^TRANSFER_LOG_LEVEL is "loud"; allowed: fatal, [^\n]*\n$/;
const PUBLIC = { TRANSFER_PUBLIC_URL: "https://quotes.example.com" };
const NO_ISSUER = /^TRANSFER_PUBLIC_URL is https:\/\/quotes\.example\.com; [^\n]*TRANSFER_AUTH_ISSUER[^\n]*\n$/;
const OWN = { TRANSFER_ISSUER: "embedded" };
const BELOW = { TRANSFER_PUBLIC_URL: "https://example.com/quotes/" };
const NO_PATH =
  /^TRANSFER_PUBLIC_URL is "https:[^\n]*\/quotes\/"; [^\n]*without a path[^\n]*host name of its own[^\n]*\n$/;
const SECRET = { TRANSFER_CHECKOUT_SECRET: "hunter2" };

// biome-ignore format: a table reads by its columns
const REJECTED: readonly (readonly [args: readonly string[], says: RegExp, env?: Environment])[] = [
  [["no-such-command"], /^unknown command 'no-such-command'; see transfer-quote-mcp help\n$/],
  [["constructor"], /^unknown command 'constructor'; see /],
  [["help", "constructor"], /^unknown command 'constructor'; see /],
  [["qoute"], /^unknown command 'qoute' \(Did you mean quote\?\); see transfer-quote-mcp help\n$/],
  [["serve", "--prot", "1"], /^unknown option '--prot' \(Did you mean --port\?\); see .* serve --help\n$/],
  [["check", "--catalgo", "x"], /^unknown option '--catalgo' \(Did you mean --catalog\?\); see .* check --help\n$/],
  [["--level", "warn"], /^unknown option '--level'; see transfer-quote-mcp stdio --help\n$/],
  [["token", "-s"], /^unknown option '-s'; see transfer-quote-mcp token --help\n$/],
  [["token", "--scope"], /^option '--scope <SCOPES>' argument missing; see transfer-quote-mcp token --help\n$/],
  [["serve", "--port", "eighty"], /^TRANSFER_HTTP_PORT \(--port\) is "eighty"; allowed: an integer from 0 to 65535\n$/],
  [["serve", "now"], /^too many arguments for 'serve'\. Expected 0 arguments but got 1; see transfer-quote-mcp serve --help\n$/],
  [["token", "--scope", "no-such-scope"], /^--scope is "no-such-scope"; allowed: quote:create, .*discovery\n$/],
  [["token", "--scope", " "], /^--scope is " "; allowed: /],
  [["quote"], /^missing required argument 'ORIGIN'; see transfer-quote-mcp quote --help\n$/],
  [["quote", "Bern", "Chur", "--at", "tomorrow"], /^--at is "tomorrow", not a time; allowed: a day, a local time such /],
  [["quote", "Bern", "Chur", "--at", ""], /^--at is "", not a time; allowed: a day, a local time such /],
  [["quote", "Bern", "Chur", "--at", "2027-02-30"], /^--at is "2027-02-30", which does not exist or is ambiguous in Europe\/Zurich; allowed: /],
  [["quote", "Bern", "Chur", "--at", "2027-03-28 02:30"], /^--at is "2027-03-28 02:30", which does not exist or is /],
  [["quote", "Bern", "Chur", "--at", "2027-10-31 02:30"], /^--at is "2027-10-31 02:30", which does not exist or is /],
  [["quote", "Bern", "Chur", "--pickup", "noon"], /^unknown option '--pickup'; see transfer-quote-mcp quote --help\n$/],
  [["prices", "--on", "someday"], /^--on is "someday", not a time; /],
  [["report", "--by", "no-such-row"], /^--by is "no-such-row"; allowed: at most 2 different of day, corridor, class, client\n$/],
  [["report", "--by", "day", "--by", "day"], /^--by is "day,day"; allowed: at most 2 different of day, corridor, /],
  [["report", "--by", "day,class", "--by", "client"], /^--by is "day,class,client"; allowed: at most 2 different of /],
  [["report", "--sales", "--by", "day"], /^--sales prints every quote; leave out --by\n$/],
  [["report", "--since", "soon"], /^--since is "soon"; allowed: 30d, 12h, a day such as 2026-12-24, /],
  [["report", "--since", "2026-02-30"], /^--since is "2026-02-30"; allowed: /],
  [["report", "--since", "2026-12-24", "--until", "2026-12-24"], /^--until must be after --since\n$/],
  [["report", "--since", "9998-01-01"], /^--until, which is now \(\d{4}-[\d :-]+\), must be after --since\n$/],
  [["report", "--data", "/mistyped"], /^TRANSFER_DATA_DIR is \/mistyped; no server has stored quotes there; allowed: [^\n]*--data\n$/],
  [["token", "--data", "/dev/null"], /^TRANSFER_DATA_DIR is \/dev\/null; it cannot be used \(ENOTDIR[^\n]*\); allowed: /],
  [["token", "--data", "/proc/nowhere"], /^TRANSFER_DATA_DIR is \/proc\/nowhere; it cannot be used \(E[^\n]*\); allowed: /],
  [["serve", "--data", "/proc/nowhere"], /^TRANSFER_DATA_DIR is \/proc\/nowhere; it cannot be used \(E[^\n]*\); allowed: /],
  [["check", "--data", "/dev/null"], /^TRANSFER_DATA_DIR is \/dev\/null; it cannot be used \(ENOTDIR[^\n]*\); allowed: /],
  [["token", "--subject", ""], /^--subject is ""; allowed: any other text, or leave it out\n$/],
  [["token", "--client", ""], /^--client is ""; allowed: any other text, or leave it out\n$/],
  [["report", "--csv", "--json"], /^option '--json' cannot be used with option '--csv'; see transfer-quote-mcp report --help\n$/],
  [["events", "no-such-action"], /^the action of events is "no-such-action"; allowed: resend\n$/],
  [["events", "resend"], /^events resend needs either an EVENT_ID or --since\n$/],
  [["events", "resend", "evt_1", "--since", "1d"], /^events resend needs either an EVENT_ID or --since\n$/],
  [["events", "resend", "--since", "1d"], /^TRANSFER_EVENTS_URL is not set; allowed: the address that receives events\n$/],
  [["credentials", "issue"], /^the action of credentials is "issue"; allowed: add NAME, list, renew NAME, revoke NAME\n$/],
  [["credentials", "list"], /^TRANSFER_ISSUER is not set; credentials are those of TRANSFER_ISSUER=embedded\n$/],
  [["credentials", "add"], /^credentials add needs a NAME\n$/, OWN],
  [["credentials", "list", "x"], /^credentials list takes no NAME\n$/, OWN],
  [["credentials", "add", "Big"], /^NAME is "Big"; allowed: 1 to 64 lower-case letters, /, OWN],
  [["credentials", "add", "../x", "--machine"], /^NAME is "\.\.\/x"; allowed: /, OWN],
  [["credentials", "add", "x"], /^credentials add NAME needs one of --machine, --redirect URL \(repeated\) and --host HOST\n$/, OWN],
  [["credentials", "add", "x", "--machine", "--host", "claude.ai"], /^credentials add NAME needs one of /, OWN],
  ...["localhost", "127.0.0.1", "claude.ai/x", "https://claude.ai", "a b.ch", "u@claude.ai", "intranet"].map(
    (host) => [["credentials", "add", "x", "--host", host], /^--host is "[^\n]*"; allowed: a public host name such as claude\.ai, without a path\n$/, OWN] as const),
  ...["javascript://x", "http://else.test/", "https://a.test/#f", "https://u@a.test/", "https://*.a.test/", "a.test", "data:x"].map(
    (url) => [["credentials", "add", "x", "--redirect", url], /^--redirect is "[^\n]*"; allowed: an https URL, an http one on /, OWN] as const),
  [["token"], /^TRANSFER_ISSUER is embedded; get a token there, /, OWN],
  [["serve"], /^TRANSFER_PUBLIC_URL is not set; it is required with TRANSFER_ISSUER=embedded\n$/, OWN],
  ...[["serve"], [], ["check"], ["token"], ["prices"]].map((args) => [args, LEVELS, LOUD] as const),
  ...[["serve"], ["check"]].map((args) => [args, NO_ISSUER, PUBLIC] as const),
  ...[["serve"], ["check"], ["stdio"]].map((args) => [args, NO_PATH, BELOW] as const),
  [["serve"], /^TRANSFER_CHECKOUT_SECRET is set, but not valid; allowed: [^\n]*32[^\n]*\n$/, SECRET],
];

for (const [args, says, env] of REJECTED) {
  test(`rejects "${args.join(" ")}"${env ? ` with ${JSON.stringify(env)}` : ""} with exit code 2`, async (t) => {
    const { code, stdout, stderr } = await runCommand(t, args, env);
    assert.equal(code, 2, `exit code ${code}, stderr: ${stderr}`);
    assert.equal(stdout, "");
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\n +at /, "a stack is shown");
  });
}
