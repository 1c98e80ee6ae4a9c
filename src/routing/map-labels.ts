/** Finds room for the names on a map, so that none covers another. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the text of a name starts, or ends if it stands on the left of its point (`isLeft`). */
export interface Room extends Point {
  readonly isLeft: boolean;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Width of a letter in font sizes, estimated generously. */
const LETTER_WIDTH = 0.6;
/** How many letters longer a translated name may be. */
const SPARE_LETTERS = 2;
const EDGE = 2;
const LINE_STEP = 6;

/** The room for names in a picture of this size in pixels, in which `route` is drawn. */
export function createLabelSpace(width: number, height: number, route: readonly Point[]) {
  const taken: Box[] = [];
  const line = boxesAlong(route);

  return { take, isTaken, roomFor };

  function take(point: Point, radius: number): void {
    taken.push(around(point, radius));
  }

  function isTaken(point: Point, radius: number): boolean {
    return taken.some((box) => overlap(box, around(point, radius)));
  }

  /** Reserves room for a name: a stop's may cover the route, a town's may not. `undefined` where there is no room. */
  function roomFor(point: Point, name: string, fontSize: number, { isStop = false } = {}): Room | undefined {
    const letters = [...name].length + (isStop ? SPARE_LETTERS : 0);
    const size = { width: Math.ceil(letters * fontSize * LETTER_WIDTH), height: fontSize };
    const boxes = cornersBeside(point, size).map((corner) => ({ ...corner, ...size }));
    const free = boxes.filter((box) => isInside(box) && !taken.some((each) => overlap(box, each)));
    const clear = free.find((box) => !line.some((each) => overlap(box, each)));
    const found = clear ?? (isStop ? free[0] : undefined);
    if (!found) return undefined;
    taken.push(found);
    const isLeft = found.x + size.width / 2 < point.x;
    return { x: isLeft ? found.x + size.width : found.x, y: Math.round(found.y + fontSize * 0.85), isLeft };
  }

  function isInside({ x, y, ...size }: Box): boolean {
    return x >= EDGE && y >= EDGE && x + size.width <= width - EDGE && y + size.height <= height - EDGE;
  }
}

/** The top left corners of a box on the right, left, above, below, and at the four corners of a point. */
function cornersBeside({ x, y }: Point, { width, height }: Omit<Box, "x" | "y">): readonly Point[] {
  return [
    { x: x + 9, y: y - height / 2 },
    { x: x - 9 - width, y: y - height / 2 },
    { x: x - width / 2, y: y - 9 - height },
    { x: x - width / 2, y: y + 9 },
    { x: x + 5, y: y - 8 - height },
    { x: x + 5, y: y + 7 },
    { x: x - 5 - width, y: y - 8 - height },
    { x: x - 5 - width, y: y + 7 },
  ].map((corner) => ({ x: Math.round(corner.x), y: Math.round(corner.y) }));
}

function boxesAlong(points: readonly Point[]): readonly Box[] {
  return points.slice(1).flatMap((to, index) => {
    const from = points[index] ?? to;
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / LINE_STEP);
    return Array.from({ length: steps }, (_, step) => {
      const share = step / steps;
      return around({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }, LINE_STEP / 2);
    });
  });
}

function around({ x, y }: Point, radius: number): Box {
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
