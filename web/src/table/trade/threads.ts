// A thread: an offer, what it answers, and what changed from the one to the other; only the last terms are open.
import { items, type Goods } from "~/lib/goods";
import type { Line } from "~/lib/table.svelte";
import type { Clause, Deal, Seat } from "~/wire";
import { sides } from "./deals";

/** The offer that another one answers, as far back as the page remembers. */
export function answered(lines: readonly Line[], deal: Deal): Deal | null {
  if (!deal.answers) return null;
  for (const line of lines.toReversed())
    for (const event of line.events)
      if (event.kind === "deal_offered" && event.deal.id === deal.answers) return event.deal;
  return null;
}

export interface Change {
  more: Goods;
  less: Goods;
  other: number; // cards and promises that came or went
}

/** What is different on each side for the one who reads it. */
export function changes(before: Deal, after: Deal, me: Seat | null): Record<"get" | "give", Change> {
  const [then, now] = [sides(before, me), sides(after, me)];
  return { get: change(then.get, now.get), give: change(then.give, now.give) };
}

function change(then: readonly Clause[], now: readonly Clause[]): Change {
  const [had, has] = [goodsOf(then), goodsOf(now)];
  const rest = (clauses: readonly Clause[]) =>
    clauses.flatMap((clause) =>
      clause.kind === "give" ? (clause.cards ?? []) : [JSON.stringify({ ...clause, giver: 0, to: 0 })],
    );
  const [old, fresh] = [rest(then), rest(now)];
  return {
    more: less(has, had),
    less: less(had, has),
    other: fresh.filter((one) => !old.includes(one)).length + old.filter((one) => !fresh.includes(one)).length,
  };
}

function goodsOf(clauses: readonly Clause[]): Goods {
  const sum: Goods = {};
  for (const clause of clauses)
    if (clause.kind === "give")
      for (const [kind, n] of [...items(clause.goods), ...items(clause.donation)]) sum[kind] = (sum[kind] ?? 0) + n;
  return sum;
}

const less = (from: Goods, goods: Goods): Goods =>
  Object.fromEntries(
    items(from).flatMap(([kind, n]) => (n > (goods[kind] ?? 0) ? [[kind, n - (goods[kind] ?? 0)]] : [])),
  );
