import type { Operation } from "../src/calls/operation.ts";

/** Groups of operations, in the order of a journey, and what an operation of each does. */
export const TAGS = {
  Discovery: "What the service offers: corridors, vehicle classes, policies. No prices.",
  Quotes: "Prices: estimates, and quotes that are fixed for 30 minutes.",
  Checkout: "Signed links with which the traveler pays.",
} as const;
type Tag = keyof typeof TAGS;

/** One row: how REST names one operation and where its arguments stand in a request. */
export interface RestOperation {
  readonly operationId: string;
  readonly method: "get" | "post";
  /** OpenAPI style, relative to the API's base. Its placeholders are arguments: `/routes/{route_key}`. */
  readonly path: string;
  readonly tool: Operation;
  /** For developers; that of the tool is for models. */
  readonly description: string;
  /** The group of operations under which the reference lists it. */
  readonly tag: Tag;
  /** Arguments in the query string. Others there are ignored, because shared links collect them. */
  readonly query?: readonly string[];
  /** Arguments that this operation requires although the tool, which also serves another, does not. */
  readonly required?: readonly string[];
  /** Status of success; 200 by default. */
  readonly success?: 201;
  /** Path of the created resource, relative to the API's base. Its placeholders are fields of the response. */
  readonly location?: string;
}
