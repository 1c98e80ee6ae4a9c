import type { RoadData } from "../../src/domain/catalog/catalog.ts";
import type { RoadEdge } from "../../src/domain/catalog/roads-schema.ts";
import { crowFliesKm, type Position, radians } from "../../src/domain/places/geo.ts";
import { type Field, message, packed, zigzag } from "./protobuf.ts";

/** Bends a kilometer of road: enough to keep a winding road near its straight line. */
const BENDS = 60;
const HIGHWAYS = {
  motorway: "trunk",
  expressway: "trunk",
  main: "primary",
  mountain: "secondary",
  local: "tertiary",
} as const;

/**
 * The catalog's roads as an extract in OpenStreetMap's PBF format, for engines that measure along geometry: every edge
 * winds so that it is as long as the catalog says, and leads over the position by which it can be avoided.
 */
export function osmExtract({ nodes, edges }: Pick<RoadData, "nodes" | "edges">): Buffer {
  const strings = new Map<string, number>([["", 0]]);
  const osmNodes: Buffer[] = [];
  const ids = new Map([...nodes.values()].map((node) => [node.id, addNode(node)]));
  const ways = edges.map((edge, index) => {
    const from = nodes.get(edge.from);
    const to = nodes.get(edge.to);
    if (!from || !to) throw new Error(`There is no node ${edge.from} or ${edge.to}.`);
    const bends = shapeOf(edge, from, to).map(addNode);
    const refs = [ids.get(edge.from) ?? 0, ...bends, ids.get(edge.to) ?? 0];
    const deltas = refs.map((ref, position) => zigzag(ref - (refs[position - 1] ?? 0)));
    const tags = Object.entries(tagsOf(edge));
    return message([
      [1, index + 1],
      [2, packed(tags.map(([key]) => stringId(key)))],
      [3, packed(tags.map(([, value]) => stringId(value)))],
      [8, packed(deltas)],
    ]);
  });
  const table = message([...strings.keys()].map((text): Field => [1, Buffer.from(text)]));
  const block = message([
    [1, table],
    [2, message(osmNodes.map((node): Field => [1, node]))],
    [2, message(ways.map((way): Field => [3, way]))],
  ]);
  return Buffer.concat([blob("OSMHeader", message([[4, Buffer.from("OsmSchema-V0.6")]])), blob("OSMData", block)]);

  /** In units of 100 nanodegrees, as the format has it. */
  function addNode({ lat, lng }: Position): number {
    const id = osmNodes.length + 1;
    const fields: readonly Field[] = [
      [1, zigzag(id)],
      [8, zigzag(Math.round(lat * 1e7))],
      [9, zigzag(Math.round(lng * 1e7))],
    ];
    osmNodes.push(message(fields));
    return id;
  }

  function stringId(text: string): number {
    const id = strings.get(text) ?? strings.size;
    strings.set(text, id);
    return id;
  }
}

function tagsOf({ road, km, minutes, name }: RoadEdge): Readonly<Record<string, string>> {
  const named: Record<string, string> = name === undefined ? {} : { name };
  if (road === "car_train") {
    const duration = `00:${String(Math.min(59, Math.round(minutes))).padStart(2, "0")}:00`;
    return { ...named, route: "shuttle_train", motor_vehicle: "yes", motorcar: "yes", duration };
  }
  return { ...named, highway: HIGHWAYS[road], maxspeed: String(Math.max(20, Math.round((km / minutes) * 60))) };
}

/** The points between the ends of an edge. */
function shapeOf({ km, closed }: RoadEdge, from: Position, to: Position): readonly Position[] {
  const via = closed?.at;
  if (!via) return winding(from, to, km);
  const [first, second] = [crowFliesKm(from, via), crowFliesKm(via, to)];
  const before = (km * first) / (first + second);
  // At the end of the edge its neighbor leads over the position as well.
  if (first < 0.3) return winding(from, to, km);
  return [...winding(from, via, before), via, ...(second < 0.3 ? [] : winding(via, to, km - before))];
}

/** To both sides of the straight line in turn, so far that the line becomes `km` long. */
function winding(from: Position, to: Position, km: number): readonly Position[] {
  const straight = crowFliesKm(from, to);
  if (straight === 0 || km <= straight) return [];
  const aside = Math.sqrt((km / BENDS) ** 2 - (straight / BENDS) ** 2);
  const shrink = Math.cos(radians(from.lat));
  const [north, east] = [to.lat - from.lat, (to.lng - from.lng) * shrink];
  const length = Math.hypot(north, east);
  return Array.from({ length: BENDS - 1 }, (_, index) => {
    const share = (index + 1) / BENDS;
    const offset = index % 2 === 0 ? aside / 111.195 : 0;
    return {
      lat: from.lat + share * north - (offset * east) / length,
      lng: from.lng + (share * east + (offset * north) / length) / shrink,
    };
  });
}

function blob(type: string, content: Buffer): Buffer {
  const body = message([
    [1, content],
    [2, content.length],
  ]);
  const head = message([
    [1, Buffer.from(type)],
    [3, body.length],
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body]);
}
