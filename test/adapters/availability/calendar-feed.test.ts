import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { createCalendarFeed } from "../../../src/adapters/availability/calendar-feed.ts";
import { calendarAt } from "../../../src/adapters/availability/calendar-reader.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder } from "../../support/lifetime.ts";
import { aLoopbackServer } from "../../support/loopback-server.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const GOOGLE = readFileSync(new URL("calendars/google.ics", import.meta.url), "utf8");
const catalog = {
  ...defaultCatalog.catalog,
  vehicleClasses: defaultCatalog.catalog.vehicleClasses.map((each) => ({ ...each, vehicles: 1 })),
};

/** A feed at an address, with the lines that it logs. */
function aFeed(t: TestContext, url: string, options: { everyMs?: number; readMs?: number; transferMs?: number } = {}) {
  const clock = aClock("2026-11-28T09:00:00Z");
  const lines: string[] = [];
  const line = (level: string) => (facts: object, message: string) =>
    void lines.push(`${level} ${message} ${inspect(facts, { depth: 9 })}`);
  const log = { info: line("info"), warn: line("warn"), error: line("error") };
  const { everyMs, readMs = 20_000, transferMs = 10_000 } = options;
  const feed = createCalendarFeed({ url, clock, log, limits: { readMs, transferMs }, ...(everyMs && { everyMs }) });
  t.after(feed.close);
  return { feed, clock, lines };
}

/** A server of calendars; `answer` is what it answers next. */
async function aCalendarServer(t: TestContext) {
  const calls: { readonly url: string; readonly headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = { calls, url: "", answer: ((_request, response) => response.end(GOOGLE)) as RequestListener };
  server.url = await aLoopbackServer(t, (request, response) => {
    calls.push({ url: request.url ?? "", headers: request.headers });
    server.answer(request, response);
  });
  return server;
}

const SEDAN = [
  { from: Date.parse("2026-12-08T13:00:00Z"), to: Date.parse("2026-12-08T16:00:00Z") },
  { from: Date.parse("2026-12-23T23:00:00Z"), to: Date.parse("2026-12-26T23:00:00Z") },
];

suite("the feed of a calendar", () => {
  test("is read over HTTP with the user, path and query of its address", async (t) => {
    const server = await aCalendarServer(t);
    const { feed } = aFeed(t, `${server.url.replace("//", "//us%3Aer:pass@")}/private-4f/basic.ics?key=a%26b`);
    assert.equal(feed.taken(60), undefined, "nothing is known before the first reading");
    await assert.rejects(feed.ping(), /has not been read yet/);
    await feed.useFor(catalog);
    await feed.ping();
    assert.deepEqual(feed.taken(60)?.get("sedan"), SEDAN);
    const [call] = server.calls;
    assert.equal(call?.url, "/private-4f/basic.ics?key=a%26b");
    assert.equal(call?.headers.authorization, `Basic ${Buffer.from("us:er:pass").toString("base64")}`);
    assert.match(String(call?.headers["user-agent"]), /^transfer-quote-mcp\//);
  });

  test("is read from a file, again and again, for the classes of the catalog in use", async (t) => {
    const file = join(aFolder(t), "taken.ics");
    writeFileSync(file, GOOGLE);
    const { feed } = aFeed(t, pathToFileURL(file).href, { everyMs: 20 });
    await feed.useFor(catalog);
    assert.deepEqual(feed.taken(60)?.get("sedan"), SEDAN);
    writeFileSync(file, GOOGLE.replaceAll("SUMMARY:sedan", "SUMMARY:estate"));
    while (feed.taken(60)?.get("sedan")?.length !== 1) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(feed.taken(60)?.get("estate")?.length, 2);
    assert.deepEqual(
      [...(feed.taken(60)?.keys() ?? [])],
      catalog.vehicleClasses.map(({ id }) => id),
    );
  });

  test("that fails keeps what was read, until that is too old or the clock is set back before it", async (t) => {
    const server = await aCalendarServer(t);
    const { feed, clock, lines } = aFeed(t, server.url);
    await feed.useFor(catalog);
    server.answer = (_request, response) => response.writeHead(503).end();
    clock.advance(30 * 60_000);
    await feed.useFor(catalog);
    await assert.rejects(feed.ping(), /^Error: HTTP status 503$/);
    assert.deepEqual(feed.taken(60)?.get("sedan"), SEDAN);
    assert.equal(feed.ageSeconds(), 1800);
    clock.advance(30 * 60_000 + 1);
    assert.equal(feed.taken(60), undefined);
    assert.deepEqual(feed.taken(61)?.get("sedan"), SEDAN);
    clock.advance(-60 * 60_000 - 2);
    assert.equal(feed.taken(61), undefined);
    server.answer = (_request, response) => response.end(GOOGLE);
    await feed.useFor(catalog);
    assert.equal(feed.ageSeconds(), 0);
    assert.deepEqual(
      lines.map((each) => each.split(" {")[0]),
      ["warn The calendar cannot be read.", "info The calendar can be read again."],
    );
  });

  test("that cannot be used is named, without a word of it or of its address", async (t) => {
    const server = await aCalendarServer(t);
    const limit = (milliseconds = 30_000) => AbortSignal.timeout(milliseconds);
    const refused = async (answer: RequestListener, reason: RegExp, milliseconds?: number) => {
      server.answer = answer;
      await assert.rejects(calendarAt(`${server.url}/SECRET?key=SECRET`, limit(milliseconds)), ({ message }: Error) => {
        assert.match(message, reason);
        return !message.includes("SECRET");
      });
    };
    const location = `${server.url}/other`;
    await refused((_request, response) => response.writeHead(302, { location }).end(), /^HTTP status 302$/);
    assert.equal(server.calls.filter(({ url }) => url === "/other").length, 0, "no redirect is followed");
    await refused((request) => request.socket.destroy(), /^the connection failed/);
    const long = Buffer.alloc(16 * 1024 * 1024 + 1, "x");
    await refused((_request, response) => response.end(long), /^the connection failed \(UND_ERR_RES_EXCEEDED/);
    await refused((_request, response) => void response.write("BEGIN:VCALENDAR"), /aborted due to timeout/, 300);
    const file = join(aFolder(t), "SECRET.ics");
    await assert.rejects(calendarAt(pathToFileURL(file).href, limit()), {
      message: "the file cannot be read (ENOENT)",
    });
    writeFileSync(file, long);
    await assert.rejects(calendarAt(pathToFileURL(file).href, limit()), { message: /more than 16777216 bytes$/ });
    server.answer = (_request, response) => response.end("<html>SECRET</html>");
    const { feed, lines } = aFeed(t, `${server.url}/SECRET`);
    await feed.useFor(catalog);
    await assert.rejects(feed.ping(), { message: "it is no iCalendar file" });
    assert.equal(lines.length, 1);
    assert.doesNotMatch(lines.join(), /SECRET/);
  });

  test("that never ends to be read holds up nothing, and is given up", async (t) => {
    const server = await aCalendarServer(t);
    // No day fulfills the rule: the search for one ends in no time that anybody waits for.
    const endless =
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:all\r\nDTSTART:19000101T000000Z\r\n" +
      "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    server.answer = (_request, response) => response.end(endless);
    const { feed } = aFeed(t, server.url, { readMs: 1_000 });
    let turns = 0;
    const counter = setInterval(() => {
      turns += 1;
    }, 10);
    await feed.useFor(catalog);
    clearInterval(counter);
    await assert.rejects(feed.ping(), /^Error: it takes more than 1 s to read$/);
    assert.ok(turns > 20, `${turns} turns of the event loop`);
  });

  test("ends its reader when it closes", async (t) => {
    const server = await aCalendarServer(t);
    const asked = new Promise<void>((resolve) => {
      server.answer = () => resolve();
    });
    const { feed, lines } = aFeed(t, server.url);
    const reading = feed.useFor(catalog);
    await asked;
    await Promise.all([feed.close(), reading]);
    assert.deepEqual(lines, []);
  });
});
