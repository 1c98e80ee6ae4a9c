import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { CleanUp } from "./measurement.ts";

/** A collector that only receives: one that decodes spans would take its time from those that send the load. */
export async function aTraceSink(t: CleanUp) {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on("end", () => response.end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => server.close());
  return {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    bytes: () => bytes,
  };
}
