// Book value: what a piece is worth on paper, the same for everybody; a number to talk about, never a verdict.
import { book } from "~/lib/rates";
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
