import { type Position, radians } from "../places/geo.ts";

/** Where positions lie on a picture, in whole pixels from its top left corner. */
export interface MapFrame {
  readonly width: number;
  readonly height: number;
  /** Of the ground that it shows. */
  readonly kmWide: number;
  at(position: Position): { readonly x: number; readonly y: number };
  shows(position: Position): boolean;
}

const WIDTH = 480;
const LEAST_HEIGHT = 160;
const GREATEST_HEIGHT = 480;
const MARGIN = 0.12;
const KM_PER_DEGREE = 111.195;
/** Of a journey inside a town. */
const LEAST_KM = 4;

/** A frame around positions, true to scale at their middle. */
export function createMapFrame(positions: readonly Position[]): MapFrame {
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
