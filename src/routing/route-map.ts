import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { crowFliesKm, type Position, radians } from "../places/geo.ts";
import { createLabelSpace, type Point, type Room } from "./map-labels.ts";
import outlines from "./map-outlines.json" with { type: "json" };
import type { RoutePath } from "./router.ts";

/** Wider maps leave out minor roads, which would merge into a gray area. */
const WIDEST_WITH_ALL_ROADS_KM = 60;
const WIDEST_WITH_MAIN_ROADS_KM = 150;
const FAST_ROADS = ["motorway", "expressway"];
const ROUTE_COLOR = "#1a8f5c";
const TRAIN_COLOR = "#b8571b";
const LAKE_COLOR = "#4a90c4";
const LONGEST_NAME = 26;
const LETTERS = 13;
const TOWN_LETTERS = 11;
const MOST_TOWNS = 10;
const LEGEND_LINE = 18;
/** A route that is shorter and has fewer nodes is not drawn: its line would not follow the road. */
const SHORT_KM = 20;
const LEAST_NODES = 8;

type Roads = Pick<RoadData, "nodes" | "edges">;

export interface RouteMap {
  readonly svg: string;
  /** The names that it shows, as in the catalog: stops, then the car trains and passes of its legend. */
  readonly names: readonly string[];
}

/**
 * The route on the catalog's network as an SVG of a few kilobytes, between lakes, borders and towns, with labeled stops
 * and a legend of its car trains and passes. It has a title, no script, no style and no id, so that any page can embed
 * it; lines and names take the color of the text around it. `undefined` where the network no longer has the nodes of
 * the route, and for a short journey with too few of them. `style` is for a picture without a page around it.
 */
export function routeMap({ nodes, edges }: Roads, { stops, legs }: RoutePath, style = ""): RouteMap | undefined {
  const drivenNodes = legs.map((leg) => leg.split(" ").filter((id) => id !== ""));
  const known = drivenNodes.flat().map((id) => nodes.get(id));
  const line = stops.flatMap((stop, index) => [
    stop,
    ...(drivenNodes[index] ?? []).flatMap((id) => nodes.get(id) ?? []),
  ]);
  if (known.includes(undefined) || stops.length === 0) return undefined;
  if (known.length < LEAST_NODES && lengthKm(line) < SHORT_KM) return undefined;

  const frame = createMapFrame(line);
  const pairs = new Set(drivenNodes.flatMap((ids) => ids.slice(1).map((id, index) => pairOf(ids[index] ?? id, id))));
  const shown = edges.flatMap((edge) => {
    const ends = [nodes.get(edge.from), nodes.get(edge.to)].filter((node) => node !== undefined);
    return ends.some(frame.shows) ? [{ edge, ends }] : [];
  });
  const isWideEnough = ({ road }: RoadEdge) =>
    FAST_ROADS.includes(road) ||
    frame.kmWide <= (road === "main" ? WIDEST_WITH_MAIN_ROADS_KM : WIDEST_WITH_ALL_ROADS_KM);
  const network = shown.filter(({ edge }) => !edge.carTrain && isWideEnough(edge));
  const driven = shown.filter(({ edge }) => pairs.has(pairOf(edge.from, edge.to)));
  const trains = driven.filter(({ edge }) => edge.carTrain);
  // The edges on both sides of a pass have its name.
  const passes = driven.filter(({ edge }) => edge.closed?.at && !edge.carTrain && edge.name);
  const trainNames = [...new Set(trains.map(({ edge }) => edge.name ?? "Car train"))];
  const passNames = [...new Set(passes.flatMap(({ edge }) => edge.name ?? []))];
  const names = [...trainNames, ...passNames];
  const title = titleOf(stops, names);
  const lakes = Object.values(outlines.lakes)
    .map(positionsOf)
    .filter((lake) => lake.some(frame.shows));
  const borders = outlines.borders.flatMap((border) => partsIn(frame, positionsOf(border)));
  const height = frame.height + (names.length === 0 ? 0 : LEGEND_LINE * names.length + LEGEND_LINE / 2);

  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}" font-family="sans-serif" font-size="${LETTERS}" stroke-linecap="round" stroke-linejoin="round">`,
    `<title>${title}</title>${style}`,
    `<svg width="${WIDTH}" height="${frame.height}">`,
    `<path d="${lakes.map((lake) => `${strokes(frame, lake)}z`).join("")}" fill="${LAKE_COLOR}" fill-opacity="0.35"/>`,
    `<path d="${borders.map((border) => strokes(frame, border)).join("")}" fill="none" stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="6 3 1 3"/>`,
    `<path d="${network.map(({ ends }) => strokes(frame, ends)).join("")}" fill="none" stroke="currentColor" stroke-opacity="0.2"/>`,
    `<path d="${strokes(frame, line)}" fill="none" stroke="${ROUTE_COLOR}" stroke-width="4"/>`,
    ...trains.map(({ ends }) => trainLine(strokes(frame, ends))),
    ...passes.flatMap(({ edge }) => (edge.closed?.at ? passMark(frame.at(edge.closed.at)) : [])),
    ...labels(frame, stops, line),
    "</svg>",
    ...names.map((name, index) =>
      legendLine(name, frame.height + LEGEND_LINE * (index + 1), trainNames.includes(name)),
    ),
    "</svg>",
  ];
  return { svg: svg.join(""), names: [...stops.map(({ name }) => shortened(name)), ...names] };
}

function titleOf(stops: RoutePath["stops"], over: readonly string[]): string {
  const names = stops.map(({ name }) => (name === "" ? "a position" : shortened(name)));
  return escaped(`Map: ${names.join(" to ")}${over.length > 0 ? `, over ${over.join(" and ")}` : ""}`);
}

/** Reads "lng lat lng lat". */
function positionsOf(written: string): readonly Position[] {
  const numbers = written.split(" ").map(Number);
  return numbers.flatMap((lng, index) => (index % 2 === 0 ? [{ lng, lat: numbers[index + 1] ?? 0 }] : []));
}

/** The segments of a line that have at least one end in the frame. */
function partsIn(frame: MapFrame, line: readonly Position[]): readonly (readonly Position[])[] {
  return line.slice(1).flatMap((end, index) => {
    const part = [line[index] ?? end, end];
    return part.some(frame.shows) ? [part] : [];
  });
}

/** An SVG path of relative lines, the shortest notation. */
function strokes(frame: MapFrame, positions: readonly Position[]): string {
  let last: Point | undefined;
  return positions
    .map((position) => {
      const { x, y } = frame.at(position);
      const written = last ? `l${x - last.x} ${y - last.y}` : `M${x} ${y}`;
      last = { x, y };
      return written;
    })
    .join("");
}

function trainLine(path: string): string {
  return `<path d="${path}" fill="none" stroke="#fff" stroke-width="4"/><path d="${path}" fill="none" stroke="${TRAIN_COLOR}" stroke-width="4" stroke-dasharray="5 7"/>`;
}

function passMark({ x, y }: Point): string {
  return `<path d="M${x - 6} ${y + 5}l6 -11l6 11z" fill="currentColor"/>`;
}

function legendLine(name: string, y: number, isTrain: boolean): string {
  const sign = isTrain ? trainLine(`M4 ${y - 4}l22 0`) : passMark({ x: 15, y: y - 5 });
  return `<g>${sign}<text x="36" y="${y}" fill="currentColor">${escaped(name)}</text></g>`;
}

/** SVG of the stops and, where there is room, of the towns around them. */
function labels(frame: MapFrame, stops: RoutePath["stops"], line: readonly Position[]): readonly string[] {
  const space = createLabelSpace(WIDTH, frame.height, line.map(frame.at));
  const distinct = [...new Map(stops.map((stop) => [JSON.stringify(frame.at(stop)), stop])).values()];
  for (const stop of distinct) space.take(frame.at(stop), 7);
  const written = distinct.map((stop) => {
    const name = shortened(stop.name);
    const room = name === "" ? undefined : space.roomFor(frame.at(stop), name, LETTERS, { isStop: true });
    return stopMark(frame.at(stop)) + (room ? text(room, name, LETTERS, ' font-weight="bold"') : "");
  });
  const towns: string[] = [];
  for (const [name, at] of Object.entries(outlines.towns)) {
    const [position] = positionsOf(at);
    if (!position || !frame.shows(position) || towns.length === MOST_TOWNS) continue;
    const point = frame.at(position);
    // A town this near to a stop is the stop's own.
    const room = space.isTaken(point, 14) ? undefined : space.roomFor(point, name, TOWN_LETTERS);
    if (!room) continue;
    space.take(point, 3);
    const dot = `<circle cx="${point.x}" cy="${point.y}" r="2" fill="currentColor" fill-opacity="0.8"/>`;
    towns.push(dot + text(room, name, TOWN_LETTERS, ' fill-opacity="0.8"'));
  }
  return [...towns, ...written];
}

function stopMark({ x, y }: Point): string {
  return `<circle cx="${x}" cy="${y}" r="5" fill="#fff" stroke="${ROUTE_COLOR}" stroke-width="3"/>`;
}

function text({ x, y, isLeft }: Room, name: string, size: number, look: string): string {
  const anchor = isLeft ? ' text-anchor="end"' : "";
  return `<text x="${x}" y="${y}" font-size="${size}"${anchor} fill="currentColor"${look}>${escaped(name)}</text>`;
}

function lengthKm(line: readonly Position[]): number {
  return line.slice(1).reduce((sum, to, index) => sum + crowFliesKm(line[index] ?? to, to), 0);
}

function pairOf(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function shortened(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join("")}…` : name;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes names for XML, since operators write the catalogs that they come from. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

/** Projects positions onto a picture, in whole pixels from its top left corner. */
interface MapFrame {
  readonly height: number;
  readonly kmWide: number;
  at(position: Position): Point;
  shows(position: Position): boolean;
}

const WIDTH = 400;
const LEAST_HEIGHT = 170;
const GREATEST_HEIGHT = 320;
const MARGIN = 0.14;
const KM_PER_DEGREE = 111.195;
/** Least width of the area shown, and twice its least height, so that short journeys are not magnified too much. */
const LEAST_KM = 12;

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

  return { height, kmWide: WIDTH * kmPerPixel, at, shows };

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
