// The numbers of the story, laid out for drawing; the server counted them.
import type { SeatStory, Sources, Trade } from "~/wire";

export const SOURCES: readonly { name: keyof Sources; color: string }[] = [
  { name: "invention", color: "--chart-1" },
  { name: "sharing", color: "--chart-2" },
  { name: "converter", color: "--chart-3" },
  { name: "card", color: "--chart-4" },
  { name: "gift", color: "--chart-6" },
  { name: "penalty", color: "--danger" },
];

export const sum = (sources: Sources): number => SOURCES.reduce((all, { name }) => all + sources[name], 0);

/** A seat's points at the start and after every turn; leftovers count at the end. */
export function course(seat: SeatStory): number[] {
  return [0, ...seat.turns.map((turn, n) => (n === seat.turns.length - 1 ? seat.total : sum(turn)))];
}

/** Heights of labels that would overlap, moved apart; the order stays. */
export function apart(heights: readonly number[], least: number, bottom: number): number[] {
  const order = heights.map((_, n) => n).sort((one, other) => heights[one]! - heights[other]!);
  const placed = [...heights];
  for (let k = 1; k < order.length; k++)
    placed[order[k]!] = Math.max(placed[order[k]!]!, placed[order[k - 1]!]! + least);
  for (let k = order.length - 1, floor = bottom; k >= 0; k--, floor = placed[order[k + 1]!]! - least)
    placed[order[k]!] = Math.min(placed[order[k]!]!, floor);
  return placed;
}

export interface Edge {
  a: number;
  b: number;
  value: number;
  deals: number;
}

/** Both directions of a trade together. */
export function edges(trades: readonly Trade[]): Edge[] {
  const sums = new Map<string, Edge>();
  for (const { giver, to, value, deals } of trades) {
    const [a, b] = giver < to ? [giver, to] : [to, giver];
    const old = sums.get(`${a}.${b}`) ?? { a, b, value: 0, deals: 0 };
    sums.set(`${a}.${b}`, { a, b, value: old.value + value, deals: Math.max(old.deals, deals) });
  }
  return [...sums.values()].filter((edge) => edge.value > 0).sort((one, other) => one.value - other.value);
}

/** How far the marks of a scale lie apart. */
export const step = (most: number): number => (most > 60 ? 20 : most > 20 ? 10 : 5);

/** A round number for the top of a scale. */
export function top(most: number): number {
  return Math.max(step(most), Math.ceil(most / step(most)) * step(most));
}
