import { type Operation, type RestRow, restRowsOf } from "../src/service/calls/operation.ts";
import { operations } from "../tools/tools.ts";

/** Groups of operations, in the order of a journey, and what an operation of each does. */
export const TAGS: Readonly<Record<RestRow["tag"], string>> = {
  Discovery: "What the service offers: corridors, vehicle classes, policies. No prices.",
  Quotes: "Prices: estimates, and quotes that are fixed for 30 minutes.",
  Checkout: "Signed links with which the traveler pays.",
};

export interface RestOperation extends RestRow {
  readonly title: string;
  readonly tool: Operation;
}

/** The public REST operations, as the operations declare them. Router, OpenAPI and reference page derive from this list. */
export const restOperations: readonly RestOperation[] = operations.flatMap((tool) =>
  restRowsOf(tool).map((row) => ({ title: tool.title, ...row, tool })),
);
