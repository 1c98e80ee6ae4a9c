import type { Request } from "express";
import type { Operation } from "../src/engine/operation.ts";

/** How a request becomes the tool's arguments. Called inside the engine; may throw a PublicError. */
export type ArgumentsFrom = (request: Request) => unknown;

/** One row: the REST face of one tool call. */
export interface RestOperation {
  readonly operationId: string;
  readonly method: "get" | "post";
  /** OpenAPI style, relative to the API's base: `/routes/{route_key}`. */
  readonly path: string;
  readonly tool: Operation;
  readonly from: ArgumentsFrom;
  /** Status of success; 200 unless said otherwise. */
  readonly success?: 201;
  /** Where the thing just created is found, relative to the API's base. */
  readonly location?: (value: unknown) => string;
}
