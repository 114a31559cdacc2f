// The reference card: what pieces are worth on paper, in small cubes, the same for everybody; and the exchange rate
// printed under a converter.
import { BOOK, type Converter, type Cost } from "~/wire";
import { items, type Goods, type GoodsKind } from "./goods";

/** What a piece is worth on paper, in small cubes; tokens are not on the card. */
export const bookOf = (kind: GoodsKind) => (BOOK[kind] ?? 0) / BOOK.green!;

export function book(goods: Goods | null | undefined): number {
  return items(goods).reduce((sum, [kind, n]) => sum + n * bookOf(kind), 0);
}

const small = bookOf("green");
const large = bookOf("black");
const paid = (cost: Cost) =>
  book(cost.goods) +
  ((cost.any_small ?? 0) + (cost.same_small ?? 0)) * small +
  ((cost.any_large ?? 0) + (cost.same_large ?? 0)) * large;

/** In for each way to pay it, and out; null where colonies or cards are part of it, which have no rate. */
export function rateOf(converter: Converter): { paid: number[]; out: number } | null {
  const costs = converter.costs ?? [{}];
  if (converter.draws || costs.some((cost) => cost.colonies?.length)) return null;
  const same = (converter.same ?? 0) * (costs[0]?.same_large ? large : small);
  const taken =
    (converter.take_small ?? 0) * small +
    (converter.take_large ?? 0) * large +
    (converter.take_ultratech ?? 0) * bookOf("ultratech");
  return { paid: costs.map(paid), out: book(converter.gain) + book(converter.donate) + same + taken };
}
