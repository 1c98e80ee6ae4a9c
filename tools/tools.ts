import type { Operation } from "../src/service/calls/operation.ts";
import { createCheckoutHandoff } from "./create-checkout-handoff.ts";
import { createTransferQuote } from "./create-transfer-quote.ts";
import { estimateTransferQuote } from "./estimate-transfer-quote.ts";
import { getPolicy } from "./get-policy.ts";
import { getQuoteRequirements } from "./get-quote-requirements.ts";
import { getTransferQuote } from "./get-transfer-quote.ts";
import { getTransferRoute } from "./get-transfer-route.ts";
import { listTransferServices } from "./list-transfer-services.ts";
import { listVehicleClasses } from "./list-vehicle-classes.ts";
import { resolveCheckoutHandoff } from "./resolve-checkout-handoff.ts";

/** Every operation, in the order of a journey from discovery to checkout. */
export const operations: readonly Operation[] = [
  listTransferServices,
  getTransferRoute,
  listVehicleClasses,
  getPolicy,
  getQuoteRequirements,
  estimateTransferQuote,
  createTransferQuote,
  getTransferQuote,
  createCheckoutHandoff,
  resolveCheckoutHandoff,
];

/** The MCP tools. */
export const tools = operations.filter(({ listedOverMcp = true }) => listedOverMcp);
