import type { RequestListener } from "node:http";
import type { Admit, Outcome, Run } from "../calls/call-pipeline.ts";
import type { Surface } from "../calls/finished-call.ts";
import { API_BASE } from "../http/api-base.ts";
import { surfaceOf } from "../http/call-of.ts";
import type { ObserveStage } from "../ops/stages.ts";
import { keepSpan, type Span, type Tracing, traceOf } from "../ops/tracing.ts";

/** Serves requests of the API and of `/mcp` as spans; their headers keep the span, so that calls continue it. */
export function tracedListener(listener: RequestListener, tracing: Tracing): RequestListener {
  return (request, response) => {
    const { url = "", method = "", headers } = request;
    const surface = surfaceOf(url);
    if (surface === "http") return listener(request, response);
    const attributes = { "http.request.method": method };
    void tracing.span({ name: method, kind: "server", parent: traceOf(headers), attributes }, (span) => {
      keepSpan(headers, span);
      if (!span.isRecorded) return listener(request, response);
      const closed = new Promise<void>((resolve) => {
        response.once("close", () => {
          const route = routeOf(surface, request);
          if (route !== undefined) span.rename(`${method} ${route}`);
          const { statusCode } = response;
          span.describe({ "http.route": route, "http.response.status_code": statusCode });
          if (statusCode >= 500) span.fail(String(statusCode));
          resolve();
        });
      });
      listener(request, response);
      return closed;
    });
  };
}

/** As it is declared, without what the caller put into it: Express leaves it with the request. */
function routeOf(surface: Surface, request: object): string | undefined {
  if (surface === "mcp") return "/mcp";
  const { path } = (request as { route?: { path?: unknown } }).route ?? {};
  return typeof path === "string" ? `${API_BASE}${path}` : undefined;
}

/** Runs calls as spans, and their stages as parts of them. Over MCP they continue what the message names, and are linked to the request that carried it. */
export function tracedRun(run: Run, observe: ObserveStage, tracing: Tracing): Run {
  return (operation, call) => {
    const { surface, requestId, trace, requestTrace } = call;
    const options = {
      name: operation.name,
      kind: surface === "rest" ? "internal" : "server",
      parent: trace,
      link: requestTrace,
      attributes: {
        "transfer.operation": operation.name,
        "transfer.surface": surface,
        "transfer.request_id": requestId,
      },
    } as const;
    return tracing.span(options, (span) => {
      const outcome = run(operation, call, { trace: span, observe: partsOf(span, observe) });
      return span.isRecorded ? described(span, outcome) : outcome;
    });
  };

  async function described(span: Span, ended: Promise<Outcome>): Promise<Outcome> {
    const outcome = await ended;
    const code = outcome.ok ? "OK" : outcome.problem.code;
    span.describe({ "transfer.code": code });
    if (!outcome.ok && outcome.problem.status >= 500) span.fail(code);
    return outcome;
  }
}

/** Runs the admission of a connection as a span of the request that asks for it. */
export function tracedAdmit(admit: Admit, observe: ObserveStage, tracing: Tracing): Admit {
  return (scope, caller) =>
    tracing.span({ name: "admission", kind: "internal", parent: caller.trace }, (span) =>
      admit(scope, caller, partsOf(span, observe)),
    );
}

function partsOf(span: Span, observe: ObserveStage): ObserveStage {
  return (stage, task) => observe(stage, () => span.part(stage, task));
}
