import { sha256 } from "../../ops/ids.ts";
import type { CatalogFolder } from "./catalog-folder.ts";
import type { RoadEdge, RoadNode } from "./roads-schema.ts";

export interface RoadData {
  readonly nodes: ReadonlyMap<string, RoadNode>;
  /** The file of each node and edge. */
  readonly fileOf: ReadonlyMap<RoadNode | RoadEdge, string>;
  readonly edges: readonly RoadEdge[];
  /** Cost of a kilometer in minutes, by which routes are compared. */
  readonly minutesPerKm: number;
  /** Class of roads with a winter closure in the profile of the operator's OSRM. */
  readonly osrmSeasonalClass?: string | undefined;
  /** Month of the latest review and digest of the data; changes with every change of them, not with their layout. */
  readonly version: string;
}

/** Reads and checks the road network of a catalog folder. Throws CatalogError. */
export function loadRoads(folder: CatalogFolder): RoadData {
  const files = folder.filesIn("roads").map((file) => ({ file, ...folder.read("roads", file) }));
  const fileOf = new Map<RoadNode | RoadEdge, string>();
  for (const { file, nodes, edges } of files) for (const each of [...nodes, ...edges]) fileOf.set(each, file);
  const nodes = new Map(files.flatMap((file) => file.nodes.map((node) => [node.id, node] as const)));
  const edges = files.flatMap((file) => file.edges);
  const reviewed = edges.reduce((latest, { checked }) => (checked > latest ? checked : latest), "");
  if (edges.length === 0) throw folder.error("roads", "", "no edges");
  const routing = folder.read("routing");
  return {
    nodes,
    fileOf,
    edges,
    ...routing,
    version: `${reviewed}-${sha256(JSON.stringify([files, routing]), "hex").slice(0, 12)}`,
  };
}
