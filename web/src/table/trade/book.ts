// Book value: what a piece is worth on paper, the same for everybody; a number to talk about, never a verdict.
import { items, plus, type Goods, type GoodsKind } from "~/lib/goods";
import { book, bookOf } from "~/lib/rates";
import type { Clause, Seat } from "~/wire";
import { giver, handing, receiver } from "./deals";

/** What clauses bring a seat by the book: goods now and goods promised; cards and deeds have no price there. */
export function bookFor(clauses: readonly Clause[], seat: Seat): number {
  return clauses.reduce((sum, clause) => {
    const what = handing(clause);
    if (what?.kind !== "give") return sum;
    const worth = book(what.goods) + book(what.donation);
    return sum + (receiver(clause) === seat ? worth : 0) - (giver(clause) === seat ? worth : 0);
  }, 0);
}

/** What to add from a stock, cheapest first, until it comes to a value; never more than a piece too much. */
export function fill(from: Goods, value: number): Goods {
  let added: Goods = {};
  let left = value;
  while (left > 0.49) {
    const there = items(from).filter(([kind, n]) => bookOf(kind) > 0 && n > (added[kind] ?? 0));
    if (!there.length) break;
    // Exactly what is missing goes first, then the cheapest, then what there is most of.
    const fits = (kind: GoodsKind) => (bookOf(kind) === left ? 0 : bookOf(kind) < left ? 1 : 2);
    there.sort(([one, n], [other, m]) => fits(one) - fits(other) || bookOf(one) - bookOf(other) || m - n);
    const kind = there[0]![0];
    added = plus(added, kind);
    left -= bookOf(kind);
  }
  return added;
}
