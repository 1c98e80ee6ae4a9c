import { sha256 } from "../ops/ids.ts";
import type { CatalogFolder } from "./catalog-folder.ts";
import type { RoadEdge, RoadNode } from "./roads-schema.ts";

export interface RoadData {
  readonly nodes: ReadonlyMap<string, RoadNode>;
  /** The file of each node, by its id. */
  readonly nodeFiles: ReadonlyMap<string, string>;
  readonly edgeFiles: ReadonlyMap<RoadEdge, string>;
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
  const names = folder.filesIn("roads");
  const files = names.map((file) => ({ file, ...folder.read("roads", file) }));
  const nodes = new Map<string, RoadNode>();
  const nodeFiles = new Map<string, string>();
  for (const { file, nodes: listed } of files) {
    for (const node of listed) {
      nodes.set(node.id, node);
      nodeFiles.set(node.id, file);
    }
  }
  const edgeFiles = new Map<RoadEdge, string>();
  let reviewed = "";
  for (const { file, edges: listed } of files) {
    for (const edge of listed) {
      edgeFiles.set(edge, file);
      if (edge.checked > reviewed) reviewed = edge.checked;
    }
  }
  const edges = [...edgeFiles.keys()];
  if (edges.length === 0) throw folder.error("roads", "", "no edges");
  const routing = folder.read("routing");
  const { minutesPerKm, osrmSeasonalClass } = routing;
  return {
    nodes,
    nodeFiles,
    edgeFiles,
    edges,
    minutesPerKm,
    ...(osrmSeasonalClass !== undefined && { osrmSeasonalClass }),
    version: `${reviewed}-${sha256(JSON.stringify([files, routing]), "hex").slice(0, 12)}`,
  };
}
