import { sha256 } from "../../ops/ids.ts";
import { type CatalogContents, contentOf, contentsOf } from "./read-contents.ts";
import type { RoadEdge, RoadNode } from "./roads-schema.ts";

export interface RoadData {
  readonly nodes: ReadonlyMap<string, RoadNode>;
  readonly edges: readonly RoadEdge[];
  /** Cost of a kilometer in minutes, by which routes are compared. */
  readonly minutesPerKm: number;
  /** Class of roads with a winter closure in the profile of the operator's OSRM. */
  readonly osrmSeasonalClass?: string | undefined;
  /** Month of the latest review and digest of the data; changes with every change of them, not with their layout. */
  readonly version: string;
}

export function roadsOf(contents: CatalogContents): RoadData {
  const files = contentsOf(contents, "roads").map(([file, content]) => ({ file, ...content }));
  const edges = files.flatMap((file) => file.edges);
  const reviewed = edges.reduce((latest, { checked }) => (checked > latest ? checked : latest), "");
  const routing = contentOf(contents, "routing");
  return {
    nodes: new Map(files.flatMap((file) => file.nodes.map((node) => [node.id, node] as const))),
    edges,
    ...routing,
    version: `${reviewed}-${sha256(JSON.stringify([files, routing]), "hex").slice(0, 12)}`,
  };
}
