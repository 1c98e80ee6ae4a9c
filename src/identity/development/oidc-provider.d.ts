/** Modules of the package that are imported directly, because its index prints a warning on Node 20 into the log. */
declare module "oidc-provider/lib/provider.js" {
  export { default as Provider } from "oidc-provider";
}
declare module "oidc-provider/lib/helpers/errors.js" {
  export const InvalidTarget: typeof import("oidc-provider").errors.InvalidTarget;
}
declare module "oidc-provider/lib/adapters/memory_adapter.js" {
  const MemoryAdapter: import("oidc-provider").AdapterConstructor;
  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export default MemoryAdapter;
}
