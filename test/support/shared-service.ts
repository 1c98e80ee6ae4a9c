import { wholeFile } from "./lifetime.ts";
import { anMcpClient } from "./mcp-client.ts";
import { aService } from "./service.ts";

/** One service with the official client, for all tests of a process that change neither its clock nor its catalog. */
export const service = await aService(wholeFile, { env: { TRANSFER_BLOCKED_SUBJECTS: "blocked,banned" } });
export const token = await service.token();
export const mcp = await anMcpClient(wholeFile, service.publicUrl, token);
