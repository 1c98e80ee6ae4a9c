import { aCompanyCatalog } from "./company-catalog.ts";
import { wholeFile } from "./lifetime.ts";
import { aRateLimiter } from "./rate-limiter.ts";
import { aService } from "./service.ts";

/*
 * Services for the browser tests of a process, which run one after the other. A test that advances a clock sets it back.
 */
const limiter = aRateLimiter();

/** The packaged example, with which nothing can be booked. */
export const example = await aService(wholeFile, { limiter });

export const CONTINUE_URL = "https://pay.example/start?lang=any";
/** An operator with a checkout of its own. */
export const online = await aService(wholeFile, { limiter, env: { TRANSFER_CHECKOUT_CONTINUE_URL: CONTINUE_URL } });

/** An operator whom the traveler calls. */
export const byPhone = await aService(wholeFile, {
  limiter,
  env: { TRANSFER_CATALOG_DIR: aCompanyCatalog(wholeFile) },
});
