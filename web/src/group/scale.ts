// Where ratings stand on a line as wide as the widest of them.
import type { Place } from "~/wire";

export interface Scale {
  (rating: number): number; // per cent of the line
  least: number;
  most: number;
}

export function scaleOf(places: readonly (Place | null)[]): Scale {
  const known = places.filter((place) => place !== null);
  const least = Math.floor(Math.min(1400, ...known.map((place) => place.low)) / 100) * 100;
  const most = Math.ceil(Math.max(1600, ...known.map((place) => place.high)) / 100) * 100;
  return Object.assign((rating: number) => (100 * (rating - least)) / (most - least), { least, most });
}
