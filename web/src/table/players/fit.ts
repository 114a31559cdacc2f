// How many whole groups of goods fit into a column; the rest is counted, never cut.
import type { GoodsKind } from "~/lib/goods";

export interface Group {
  kind: GoodsKind;
  n: number;
  hot: boolean; // it concerns me
}

const CHIP = 17;
const DIGIT = 8;
const GAP = 5;
const FRAME = 6;
const REST = 19; // "+2"

const width = ({ n, hot }: Group) => CHIP + (n > 1 ? 2 + DIGIT * String(n).length : 0) + (hot ? FRAME : 0);

export function fit(groups: readonly Group[], room: number): { shown: Group[]; rest: number } {
  const sorted = [...groups].sort((one, other) => Number(other.hot) - Number(one.hot));
  const takes = (some: Group[]) => some.reduce((sum, group) => sum + width(group) + GAP, -GAP);
  if (takes(sorted) <= room) return { shown: sorted, rest: 0 };
  let count = sorted.length - 1;
  while (count > 0 && takes(sorted.slice(0, count)) + GAP + REST > room) count--;
  return { shown: sorted.slice(0, count), rest: sorted.length - count };
}
