import type { Response } from "express";
import type { OnFinished } from "../calls/finished-call.ts";
import { requestIdOf } from "../http/call-of.ts";
import { sendJson } from "../http/send.ts";
import { traceOf } from "../ops/tracing.ts";
import { errorOf, rejectedMessage } from "./rpc-errors.ts";

/** Sends a JSON-RPC message, or those of a batch. */
export type SendAnswers = (response: Response, status: number, answers: object | readonly object[]) => void;

/** `onFinished` gets the errors among the answers. */
export function createSendAnswers(onFinished: OnFinished): SendAnswers {
  return (response, status, answers) => {
    for (const error of [answers].flat().map(errorOf)) {
      if (!error) continue;
      const milliseconds = performance.now() - response.locals.startedAt;
      const [requestId, trace] = [requestIdOf(response), traceOf(response.req.headers)];
      onFinished(rejectedMessage(error, { requestId, surface: "mcp", milliseconds, status, trace }));
    }
    sendJson(response, status, answers);
  };
}
