import { sha256 } from "../../ops/ids.ts";
import type { Place } from "../places/place-finder.ts";

/** The engine behind a measured route, and the version of the data that it was measured on. */
export interface MeasuredOn {
  readonly basis: string;
  readonly dataVersion: string;
}

/** Version of what a measured route means; part of every fingerprint. */
const ROUTE_CONTRACT = "1";

/** The parts of a stop that the fingerprint covers. */
export interface FingerprintedStop {
  readonly place: Pick<Place, "id" | "lat" | "lng" | "isPosition">;
  /** `null` (not stated) and 0 (drive through) give different fingerprints. */
  readonly dwellMinutes: number | null;
}

/** Public `route_contract_version`: the meaning of the measurement and the road data it was made on. */
export function routeContractVersion({ dataVersion }: Pick<MeasuredOn, "dataVersion">): string {
  return `${ROUTE_CONTRACT}/${dataVersion}`;
}

/**
 * SHA-256 (base64url, shorter than hex) over the resolved stops in order, the engine with its data, and the contract
 * version. Each object's fields are in alphabetical order, so that the text is canonical JSON (RFC 8785).
 */
export function routeFingerprint(stops: readonly FingerprintedStop[], { basis, dataVersion }: MeasuredOn): string {
  const router = `{"basis":${JSON.stringify(basis)},"data":${JSON.stringify(dataVersion)}}`;
  return sha256(
    `{"contract":"${ROUTE_CONTRACT}","router":${router},"stops":[${stops.map(stopJson).join()}]}`,
    "base64url",
  );
}

function stopJson({ place: { id, lat, lng, isPosition }, dwellMinutes }: FingerprintedStop): string {
  const at = (!isPosition && id) || `${lat.toFixed(5)},${lng.toFixed(5)}`;
  return `{"at":${JSON.stringify(at)},"dwell":${dwellMinutes}}`;
}
