import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Router } from "./router.ts";

/** Version of what a measured route means; part of every fingerprint. */
const ROUTE_CONTRACT = "1";

/** A stop as far as it makes one journey differ from another. */
export interface FingerprintedStop {
  readonly id: string | null;
  readonly lat: number;
  readonly lng: number;
  /** `null` (not asked) and 0 (drive through) are different journeys. */
  readonly dwellMinutes: number | null;
}

/** Public `route_contract_version`: the meaning of the measurement and the road data it was made on. */
export function routeContractVersion({ dataVersion }: Pick<Router, "dataVersion">): string {
  return `${ROUTE_CONTRACT}/${dataVersion}`;
}

/** SHA-256 (hex) over the resolved stops in order, the engine with its data, and the contract version. */
export function routeFingerprint(
  stops: readonly FingerprintedStop[],
  router: Pick<Router, "basis" | "dataVersion">,
): string {
  const identity = {
    contract: ROUTE_CONTRACT,
    router: { basis: router.basis, data: router.dataVersion },
    stops: stops.map(({ id, lat, lng, dwellMinutes }) => ({
      at: id ?? `${lat.toFixed(5)},${lng.toFixed(5)}`,
      dwell: dwellMinutes,
    })),
  };
  return createHash("sha256")
    .update(canonicalize(identity) ?? "")
    .digest("hex");
}
