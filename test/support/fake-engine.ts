import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { until } from "./lifetime.ts";
import { aLoopbackServer } from "./loopback-server.ts";

export interface EngineCall {
  readonly method: string;
  /** The URL with its query, as received. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a call is answered. */
export type Behavior = (response: ServerResponse, call: EngineCall) => void | Promise<void>;

/** A fake engine over real HTTP, which answers calls with `standing` unless told otherwise. */
export async function aFakeEngine(t: Pick<TestContext, "after">, standing: Behavior) {
  const calls: EngineCall[] = [];
  const queued: Behavior[] = [];
  let behavior = standing;
  let atOnce = 0;
  let mostAtOnce = 0;
  let hangUp = () => {};
  const hungUp = new Promise<void>((resolve) => {
    hangUp = resolve;
  });

  const url = await aLoopbackServer(t, async (request, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.on("close", () => {
      atOnce -= 1;
      if (!response.writableFinished) hangUp();
    });
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "", "http://engine.test");
    const call = { method, url, headers, body: await text(request) };
    calls.push(call);
    try {
      await (queued.shift() ?? behavior)(response, call);
    } catch (error) {
      // A behavior that throws must fail the test rather than leave the call without an answer.
      json({ error: String(error) }, 500)(response, call);
    }
  });

  return {
    url,
    /** All calls in the order of their arrival. */
    calls: calls as readonly EngineCall[],
    /** The greatest number of calls that were open at the same time. */
    mostAtOnce: () => mostAtOnce,
    /** Sets how calls are answered from now on. */
    behave(next: Behavior) {
      behavior = next;
    },
    /** Answers the next calls with these behaviors, one each. */
    next(...behaviors: readonly Behavior[]) {
      queued.push(...behaviors);
    },
    /** Resolves when `count` calls have arrived in total. */
    arrived: (count: number) => until(() => calls.length >= count, `${count} calls`),
    /** Resolves when a client has closed its connection before the end of the answer. */
    hungUp,
  };
}

export function json(body: unknown, status = 200): Behavior {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json;charset=utf-8" }).end(JSON.stringify(body));
  };
}

export const answersHtml =
  (status = 200): Behavior =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<html><body>It works!</body></html>");
  };

/** Accepts the call and sends nothing. */
export const neverAnswers: Behavior = () => {};

/** Sends headers and half a body, then nothing. */
export const stallsInBody: Behavior = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).write('{"half":');
};

export const resetsInBody: Behavior = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"half":', () => response.socket?.resetAndDestroy());
};

export const redirects: Behavior = (response) =>
  void response.writeHead(302, { location: "/elsewhere", "content-type": "application/json" }).end("{}");

/** What another service answers. */
export const answersElse: Behavior = json({ hello: "world" });

export const answers500: Behavior = json({ error: "boom" }, 500);

export const hangsUp: Behavior = (response) => void response.socket?.resetAndDestroy();

export const answersBrokenJson: Behavior = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"routes": [');
};

/** Sends a body that never ends. */
export const answersWithoutEnd: Behavior = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const chunk = `"${"x".repeat(64 * 1024)}",`;
  response.write("[");
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", pour);
  pour();
};
