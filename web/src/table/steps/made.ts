// What the Economy Phase brought, read off the log.
import { items, plus, type Goods } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import type { ProductionRun, Seat } from "~/wire";

export interface Made {
  by: Seat;
  gain: Goods;
  donate: Goods;
}

const isRun = (event: { kind: string }): event is ProductionRun => event.kind === "production_run";

/** Points scored in this turn, by seat: inventions, and what production brought; as far as the log reaches. */
export function scored(table: Table): Record<Seat, number> {
  const sums: Record<Seat, number> = {};
  const add = (seat: Seat, n = 0) => (sums[seat] = (sums[seat] ?? 0) + n);
  const began = table.lines.findLastIndex((line) => line.events.some((event) => event.kind === "turn_began"));
  for (const event of table.lines.slice(began + 1).flatMap((line) => line.events)) {
    if (isRun(event)) add(event.by, event.gain?.point);
    else if (event.kind === "technology_invented") add(event.by, event.points + (event.bonus ?? 0));
    else if (event.kind === "technologies_shared")
      for (const bonus of event.bonuses ?? []) add(bonus.seat, bonus.points);
  }
  return sums;
}

/** What everyone made last; empty when the log does not reach back that far. */
export function made(table: Table): Made[] {
  const runs = table.lines.findLast((line) => line.events.some(isRun))?.events.filter(isRun) ?? [];
  return runs.map((run) => ({
    by: run.by,
    gain: run.gain ?? {},
    donate: items(run.tied).reduce((sum, [kind, n]) => plus(sum, kind, n), run.donation ?? {}),
  }));
}
