import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { type Position, radians } from "../places/geo.ts";
import type { RoutePath } from "./router.ts";

/** On wider maps minor roads would be a gray area. */
const WIDEST_WITH_ALL_ROADS_KM = 60;
const WIDEST_WITH_MAIN_ROADS_KM = 250;
const FAST_ROADS = ["motorway", "expressway"];
const ROUTE_COLOR = "#1a8f5c";
const TRAIN_COLOR = "#b8571b";
const LONGEST_NAME = 40;

type Roads = Pick<RoadData, "nodes" | "edges">;

export interface RouteMap {
  readonly svg: string;
  /** Car trains and passes in it, as the catalog names them. */
  readonly names: readonly string[];
}

/**
 * The route on the catalog's network as an SVG of a few kilobytes, with car trains, passes and stops. It has a title, no
 * script, no style and no id, so that it can stand in any page; lines and names take the color of the text around it.
 * `undefined` where the network has changed since and no longer has its nodes.
 */
export function routeMap({ nodes, edges }: Roads, { stops, legs }: RoutePath): RouteMap | undefined {
  const drivenNodes = legs.map((leg) => leg.split(" ").filter((id) => id !== ""));
  const known = drivenNodes.flat().map((id) => nodes.get(id));
  const line = stops.flatMap((stop, index) => [
    stop,
    ...(drivenNodes[index] ?? []).flatMap((id) => nodes.get(id) ?? []),
  ]);
  if (known.includes(undefined) || stops.length === 0) return undefined;

  const frame = createMapFrame(line);
  const pairs = new Set(drivenNodes.flatMap((ids) => ids.slice(1).map((id, index) => pairOf(ids[index] ?? id, id))));
  const isDriven = ({ from, to }: RoadEdge) => pairs.has(pairOf(from, to));
  const shown = edges.flatMap((edge) => {
    const ends = [nodes.get(edge.from), nodes.get(edge.to)].filter((node) => node !== undefined);
    return ends.some(frame.shows) ? [{ edge, ends, isDriven: isDriven(edge) }] : [];
  });
  const isDrawn = ({ edge, isDriven }: (typeof shown)[number]) =>
    isDriven ||
    FAST_ROADS.includes(edge.road) ||
    frame.kmWide <= (edge.road === "main" ? WIDEST_WITH_MAIN_ROADS_KM : WIDEST_WITH_ALL_ROADS_KM);
  const network = shown.filter((road) => !road.edge.carTrain && isDrawn(road)).map(({ ends }) => strokes(frame, ends));
  const trains = shown.filter(({ edge }) => edge.carTrain);
  const passes = passesOf(shown.filter(({ edge }) => edge.closed?.at && !edge.carTrain && edge.name));
  const named = [...trains, ...shown.filter(({ edge }) => edge.closed && !edge.carTrain)].filter(
    ({ isDriven }) => isDriven,
  );
  const title = titleOf(
    stops,
    named.flatMap(({ edge }) => edge.name ?? []),
  );

  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-label="${title}" font-family="sans-serif" font-size="12" stroke-linecap="round" stroke-linejoin="round">`,
    `<title>${title}</title>`,
    `<path d="${network.join("")}" fill="none" stroke="currentColor" stroke-opacity="0.25"/>`,
    `<path d="${strokes(frame, line)}" fill="none" stroke="${ROUTE_COLOR}" stroke-width="4"/>`,
    ...trains.map(({ edge, ends, isDriven }) => trainMark(frame, edge, ends, isDriven)),
    ...passes.map(({ edge, isDriven }) => passMark(frame, edge, isDriven)),
    ...stops.map((stop) => stopMark(frame, stop)),
    "</svg>",
  ];
  return { svg: svg.join(""), names: [...trains, ...passes].flatMap(({ edge }) => edge.name ?? []) };
}

function titleOf(stops: RoutePath["stops"], over: readonly string[]): string {
  const names = stops.map(({ name }) => (name === "" ? "a position" : shortened(name)));
  const via = [...new Set(over)];
  return escaped(`Map: ${names.join(" to ")}${via.length > 0 ? `, over ${via.join(" and ")}` : ""}`);
}

/** One mark for the sides of a pass. */
function passesOf<T extends { readonly edge: RoadEdge; readonly isDriven: boolean }>(
  roads: readonly T[],
): readonly T[] {
  const byName = new Map<string | undefined, T>();
  for (const road of roads) if (road.isDriven || !byName.has(road.edge.name)) byName.set(road.edge.name, road);
  return [...byName.values()];
}

/** Relative lines, which are the shortest to write. */
function strokes(frame: MapFrame, positions: readonly Position[]): string {
  let last: { readonly x: number; readonly y: number } | undefined;
  return positions
    .map((position) => {
      const { x, y } = frame.at(position);
      const written = last ? `l${x - last.x} ${y - last.y}` : `M${x} ${y}`;
      last = { x, y };
      return written;
    })
    .join("");
}

function trainMark(
  frame: MapFrame,
  { name = "car train" }: RoadEdge,
  ends: readonly Position[],
  isDriven: boolean,
): string {
  const [from, to] = ends.map(frame.at);
  const width = isDriven ? 4 : 1.5;
  const path = `<path d="${strokes(frame, ends)}" fill="none" stroke="${TRAIN_COLOR}" stroke-width="${width}" stroke-dasharray="6 6"><title>${escaped(name)}</title></path>`;
  if (!isDriven || !from || !to) return path;
  return path + label({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, name, frame);
}

function passMark(frame: MapFrame, { name = "", closed }: RoadEdge, isDriven: boolean): string {
  if (!closed?.at) return "";
  const { x, y } = frame.at(closed.at);
  const mark = `<path d="M${x - 5} ${y + 4}l5 -9l5 9z" fill="currentColor" fill-opacity="${isDriven ? 1 : 0.5}"><title>${escaped(name)}</title></path>`;
  return isDriven ? mark + label({ x, y }, name, frame) : mark;
}

function stopMark(frame: MapFrame, stop: RoutePath["stops"][number]): string {
  const { x, y } = frame.at(stop);
  return `<circle cx="${x}" cy="${y}" r="5" fill="#fff" stroke="${ROUTE_COLOR}" stroke-width="3"/>${label({ x, y }, stop.name, frame)}`;
}

/** On the side where there is room. */
function label({ x, y }: { readonly x: number; readonly y: number }, name: string, { width }: MapFrame): string {
  if (name === "") return "";
  const isLeft = x > width / 2;
  return `<text x="${Math.round(x) + (isLeft ? -9 : 9)}" y="${Math.round(y) + 4}" fill="currentColor"${isLeft ? ' text-anchor="end"' : ""}>${escaped(shortened(name))}</text>`;
}

function pairOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function shortened(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join("")}…` : name;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Names come from catalogs that others write. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

/** Where positions lie on a picture, in whole pixels from its top left corner. */
interface MapFrame {
  readonly width: number;
  readonly height: number;
  /** Width of the area that it shows. */
  readonly kmWide: number;
  at(position: Position): { readonly x: number; readonly y: number };
  shows(position: Position): boolean;
}

const WIDTH = 480;
const LEAST_HEIGHT = 160;
const GREATEST_HEIGHT = 480;
const MARGIN = 0.12;
const KM_PER_DEGREE = 111.195;
/** Smallest width and, halved, height: a journey inside a town would be magnified too much. */
const LEAST_KM = 4;

/** A frame around positions, true to scale at their middle. */
function createMapFrame(positions: readonly Position[]): MapFrame {
  const lats = positions.map(({ lat }) => lat);
  const lngs = positions.map(({ lng }) => lng);
  const middle = { lat: middleOf(lats), lng: middleOf(lngs) };
  const kmPerLng = KM_PER_DEGREE * Math.cos(radians(middle.lat));
  const room = 1 + 2 * MARGIN;
  const wide = Math.max(LEAST_KM, extentOf(lngs) * kmPerLng) * room;
  const high = Math.max(LEAST_KM / 2, extentOf(lats) * KM_PER_DEGREE) * room;
  const kmPerPixel = Math.max(wide / WIDTH, high / GREATEST_HEIGHT);
  const height = Math.max(LEAST_HEIGHT, Math.ceil(high / kmPerPixel));

  return { width: WIDTH, height, kmWide: WIDTH * kmPerPixel, at, shows };

  function at({ lat, lng }: Position) {
    return {
      x: Math.round(WIDTH / 2 + ((lng - middle.lng) * kmPerLng) / kmPerPixel),
      y: Math.round(height / 2 - ((lat - middle.lat) * KM_PER_DEGREE) / kmPerPixel),
    };
  }

  function shows(position: Position): boolean {
    const { x, y } = at(position);
    return x >= 0 && x <= WIDTH && y >= 0 && y <= height;
  }
}

function middleOf(values: readonly number[]): number {
  return (Math.min(...values) + Math.max(...values)) / 2;
}

function extentOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
