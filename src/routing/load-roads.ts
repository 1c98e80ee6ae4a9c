import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  catalogueFilesIn,
  catalogueText,
  mistake,
  parseCatalogueFile,
} from "../published/catalogue-folder.ts";
import { type RoadEdge, type RoadNode, RoadsFile } from "./schema.ts";

export interface RoadData {
  readonly nodes: ReadonlyMap<string, RoadNode>;
  readonly edges: readonly RoadEdge[];
  /** Month of the latest review and digest of the files' content; changes with every change of the data. */
  readonly version: string;
}

/** Reads and checks the road network of a catalogue folder. Throws CatalogueMistake. */
export function loadRoads(folder: string): RoadData {
  const nodes = new Map<string, RoadNode>();
  const edges: RoadEdge[] = [];
  const seen = new Set<string>();
  const content = createHash("sha256");
  const files = catalogueFilesIn(folder, "roads").map((file) => {
    const text = catalogueText(folder, file);
    content.update(text);
    return { file, ...parseCatalogueFile(folder, file, RoadsFile, text) };
  });
  for (const { file, nodes: listed } of files) {
    for (const node of listed) {
      if (nodes.has(node.id)) throw mistake(join(folder, file), `nodes.${node.id}`, "stands twice");
      nodes.set(node.id, node);
    }
  }
  for (const { file, edges: listed } of files) {
    for (const edge of listed) {
      const { from, to } = edge;
      const key = from < to ? `${from} ${to}` : `${to} ${from}`;
      const fault = !nodes.has(from)
        ? `there is no node ${from}`
        : !nodes.has(to)
          ? `there is no node ${to}`
          : seen.has(key)
            ? "stands twice"
            : from === to && "leads nowhere";
      if (fault) throw mistake(join(folder, file), `edges.${key}`, fault);
      seen.add(key);
      edges.push(edge);
    }
  }
  if (edges.length === 0) throw mistake(join(folder, "roads"), "", "holds no road");
  let reviewed = "";
  for (const { checked } of edges) if (checked > reviewed) reviewed = checked;
  return { nodes, edges, version: `${reviewed}-${content.digest("hex").slice(0, 12)}` };
}
