import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { CAPABILITIES } from "./capabilities.ts";
import { instructions } from "./instructions.ts";
import type { GetCaller, McpTools } from "./mcp-tools.ts";

/** One for all servers: compiling a validator costs more than a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** The protocol server of one connection in the revisions up to 2025-11-25. */
export function createOlderServer({ info, answer }: McpTools, getCaller: GetCaller): Server {
  const server = new Server(info, { capabilities: CAPABILITIES, instructions, jsonSchemaValidator });
  server.fallbackRequestHandler = (request, { signal }) => answer(request, getCaller, signal);
  return server;
}
