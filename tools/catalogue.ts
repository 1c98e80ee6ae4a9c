import type { Operation } from "../src/engine/operation.ts";
import { createCheckoutHandoff } from "./create-checkout-handoff.ts";
import { createTransferQuote } from "./create-transfer-quote.ts";
import { estimateTransferQuote } from "./estimate-transfer-quote.ts";
import { getPolicy } from "./get-policy.ts";
import { getQuoteRequirements } from "./get-quote-requirements.ts";
import { getTransferQuote } from "./get-transfer-quote.ts";
import { getTransferRoute } from "./get-transfer-route.ts";
import { listTransferServices } from "./list-transfer-services.ts";
import { listVehicleClasses } from "./list-vehicle-classes.ts";

/** The nine tools, in the order of a journey from discovery to handoff. */
export const tools: readonly Operation[] = [
  listTransferServices,
  getTransferRoute,
  listVehicleClasses,
  getPolicy,
  getQuoteRequirements,
  estimateTransferQuote,
  createTransferQuote,
  getTransferQuote,
  createCheckoutHandoff,
];
