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

/** What everyone made last; empty when the log does not reach back that far. */
export function made(table: Table): Made[] {
  const runs = table.lines.findLast((line) => line.events.some(isRun))?.events.filter(isRun) ?? [];
  return runs.map((run) => ({
    by: run.by,
    gain: run.gain ?? {},
    donate: items(run.tied).reduce((sum, [kind, n]) => plus(sum, kind, n), run.donation ?? {}),
  }));
}
