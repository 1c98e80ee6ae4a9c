import { anMcpClient } from "./mcp-client.ts";
import { aRateLimiter } from "./rate-limiter.ts";
import { aService } from "./service.ts";
import { wholeFile } from "./whole-file.ts";

/** One service for the tests of a process that change neither its clock nor its catalog, with the official client. */
export const service = await aService(wholeFile, {
  limiter: aRateLimiter(),
  env: { TRANSFER_BLOCKED_SUBJECTS: "blocked,banned" },
});
export const token = await service.token();
export const mcp = await anMcpClient(wholeFile, service.publicUrl, token);
