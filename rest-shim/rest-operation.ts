import type { Operation } from "../src/calls/operation.ts";

/** One row: how REST names one operation and where its arguments stand in a request. */
export interface RestOperation {
  readonly operationId: string;
  readonly method: "get" | "post";
  /** OpenAPI style, relative to the API's base. Its placeholders are arguments: `/routes/{route_key}`. */
  readonly path: string;
  readonly tool: Operation;
  /** Arguments in the query string. Others there are ignored, because shared links collect them. */
  readonly query?: readonly string[];
  /** Arguments that this operation requires although the tool, which also serves another, does not. */
  readonly required?: readonly string[];
  /** Status of success; 200 by default. */
  readonly success?: 201;
  /** Path of the created resource, relative to the API's base. Its placeholders are fields of the response. */
  readonly location?: string;
}
