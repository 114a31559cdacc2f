// Goods as the page counts and shows them; what they are worth or may pay for is the server's to say.
import { KINDS, type Cost, type Goods, type GoodsKind } from "~/wire";

export type { Goods, GoodsKind } from "~/wire";

/** The columns of a stock, in the order of the table strip; wild cubes only where somebody has them. */
export const COLUMNS: readonly GoodsKind[] = [
  "green",
  "white",
  "brown",
  "black",
  "blue",
  "yellow",
  "ultratech",
  "ship",
];
export const WILD: readonly GoodsKind[] = ["wild_small", "wild_large"];
/** Tokens that some species begin with. */
export const TOKENS: readonly GoodsKind[] = ["envoy", "acknowledgement"];
/** What can be put into an offer by clicking. */
export const TRADABLE: readonly GoodsKind[] = [
  "green",
  "white",
  "brown",
  "wild_small",
  "black",
  "blue",
  "yellow",
  "wild_large",
  "ultratech",
  "ship",
];

/** The letters of the typed short form, as printed on the pieces. */
export const LETTER: Record<GoodsKind, string> = {
  green: "G",
  white: "W",
  brown: "N",
  black: "B",
  blue: "T",
  yellow: "Y",
  wild_small: "a",
  wild_large: "A",
  ultratech: "U",
  ship: "S",
  point: "*",
  envoy: "E",
  acknowledgement: "K",
};

export function items(goods: Goods | null | undefined): [GoodsKind, number][] {
  if (!goods) return [];
  return KINDS.flatMap((kind) => (goods[kind] ? [[kind, goods[kind]] as [GoodsKind, number]] : []));
}

export function isNothing(goods: Goods | null | undefined): boolean {
  return items(goods).length === 0;
}

export function plus(goods: Goods, kind: GoodsKind, n = 1): Goods {
  const count = (goods[kind] ?? 0) + n;
  const { [kind]: _, ...rest } = goods;
  return count > 0 ? { ...rest, [kind]: count } : rest;
}

/** What two have in common. */
export function common(needs: Goods, spare: Goods): Goods {
  return Object.fromEntries(
    items(needs).flatMap(([kind, n]) => (spare[kind] ? [[kind, Math.min(n, spare[kind])]] : [])),
  );
}

/** The typed short form: 2g+1s. */
export function short(goods: Goods): string {
  const sign = (kind: GoodsKind) => (kind.startsWith("wild") ? LETTER[kind] : LETTER[kind].toLowerCase());
  return items(goods)
    .map(([kind, n]) => `${n}${sign(kind)}`)
    .join("+");
}

/** Whether a price leaves nothing to pay. */
export function isFree(cost: Cost | null | undefined): boolean {
  if (!cost) return true;
  const { goods, colonies, ...counts } = cost;
  return isNothing(goods) && !colonies?.length && Object.values(counts).every((n) => !n);
}
