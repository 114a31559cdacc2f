// Days and spans as people write them.
import { language } from "~/lib/later";

export const day = (at: number) => new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(at);

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** How long that is, in the largest unit of which there is more than one. */
export function span(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= 2 * size) ?? UNITS[2]!;
  const shown = Math.round((ms / size) * 10) / 10;
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "short" }).format(shown);
}
