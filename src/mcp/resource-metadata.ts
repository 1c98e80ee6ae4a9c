/** OAuth 2.0 Protected Resource Metadata (RFC 9728) of the MCP endpoint. */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name: string;
}

export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

export function resourceMetadata(publicUrl: string, issuer: string, scopes: readonly string[]): ResourceMetadata {
  return {
    resource: `${publicUrl}/mcp`,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
    resource_name: "Transfer quotes Switzerland",
  };
}
