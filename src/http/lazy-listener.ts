import type { RequestListener } from "node:http";
import type { Log } from "../ops/log.ts";

/**
 * A listener that is loaded with the first request. For what most processes never serve: Express and the pages were 40 %
 * of the CPU time of a start over stdio. Where it cannot be loaded the request is answered 500, and the next one tries
 * again.
 */
export function createLazyListener(load: () => Promise<RequestListener>, log: Log): RequestListener {
  let loading: Promise<RequestListener> | undefined;
  return async (request, response) => {
    try {
      loading ??= load();
      (await loading)(request, response);
    } catch (error) {
      loading = undefined;
      log.error({ err: error }, "pages could not be loaded");
      response.writeHead(500).end();
    }
  };
}
