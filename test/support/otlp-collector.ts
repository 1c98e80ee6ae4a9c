import { buffer } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { aLoopbackServer } from "./loopback-server.ts";
import { until } from "./until.ts";

interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentId: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly string[];
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** A collector of OTLP/HTTP in protobuf (opentelemetry-proto, trace/v1). */
export async function aCollector(t: Pick<TestContext, "after">) {
  const bodies: Buffer[] = [];
  const spans: CollectedSpan[] = [];
  const url = await aLoopbackServer(t, async (request, response) => {
    const body = await buffer(request);
    if (request.method !== "POST" || request.url !== "/v1/traces") return void response.writeHead(404).end();
    bodies.push(body);
    spans.push(...spansOf(body));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  return {
    url,
    spans,
    text: () => Buffer.concat(bodies).toString("latin1"),
    /** Resolves with the first span of this name. */
    async span(name: string) {
      const named = () => spans.find((span) => span.name === name);
      await until(() => named() !== undefined, `the span ${name}`);
      return named() as CollectedSpan;
    },
  };
}

function spansOf(request: Buffer): readonly CollectedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1)[0] ?? Buffer.alloc(0), 1);
    const inScopes = messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2));
    return inScopes.map((span) => ({ ...spanOf(span), resource }));
  });
}

function spanOf(span: Buffer): Omit<CollectedSpan, "resource"> {
  return {
    traceId: messages(span, 1)[0]?.toString("hex") ?? "",
    spanId: messages(span, 2)[0]?.toString("hex") ?? "",
    parentId: messages(span, 4)[0]?.toString("hex") ?? "",
    name: String(messages(span, 5)[0] ?? ""),
    kind: number(span, 6),
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map((link) => messages(link, 1)[0]?.toString("hex") ?? ""),
  };
}

function attributesOf(message: Buffer, field: number): Readonly<Record<string, string | number>> {
  const pairs = messages(message, field).map((pair) => {
    const value = messages(pair, 2)[0] ?? Buffer.alloc(0);
    const [text] = messages(value, 1);
    return [String(messages(pair, 1)[0] ?? ""), text === undefined ? number(value, 3) : String(text)] as const;
  });
  return Object.fromEntries(pairs);
}

/** Fields of the wire type "length-delimited": messages, texts, bytes. */
function messages(message: Buffer, field: number): readonly Buffer[] {
  return fieldsOf(message).flatMap(([number, value]) => (number === field && Buffer.isBuffer(value) ? [value] : []));
}

function number(message: Buffer, field: number): number {
  return (
    fieldsOf(message).flatMap(([each, value]) => (each === field && typeof value === "number" ? [value] : []))[0] ?? 0
  );
}

function fieldsOf(message: Buffer): readonly (readonly [number, Buffer | number])[] {
  const fields: [number, Buffer | number][] = [];
  let at = 0;
  while (at < message.length) {
    const key = varint();
    const wireType = key % 8;
    const length = wireType === 0 ? undefined : wireType === 1 ? 8 : wireType === 5 ? 4 : varint();
    if (length === undefined) fields.push([Math.floor(key / 8), varint()]);
    else {
      fields.push([Math.floor(key / 8), message.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;

  function varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }
}
