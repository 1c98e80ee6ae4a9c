import { createMemoryRateLimiter } from "../../src/limits/memory-rate-limiter.ts";
import { rateLimiterContract } from "../ports/rate-limiter.contract.ts";

rateLimiterContract("memory", async (_t, budgets) => createMemoryRateLimiter(budgets));
