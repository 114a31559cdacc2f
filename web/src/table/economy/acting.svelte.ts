// The violet action being looked at: what it costs and does, before it is done.
import type { Table } from "~/lib/table.svelte";
import { isViolet, type Said } from "~/table/steps/choices";
import type { Action, Payments } from "~/wire";

let shown = $state.raw<Said | null>(null);
let others = $state.raw<readonly Said[]>([]);
let ways = $state.raw<Payments | null>(null);

/** What is looked at, what else could be done with the same card, and how it can be paid. */
export function acting(): { said: Said; others: readonly Said[]; ways: Payments | null } | null {
  return shown ? { said: shown, others, ways } : null;
}

/** Show an action, and learn in which ways it can be paid. */
export async function look(table: Table, said: Said, all: readonly Said[] = []): Promise<void> {
  shown = said;
  others = all.length > 1 ? all : [];
  ways = null;
  const { action } = said.choice;
  if (said.why || !isViolet(action)) return;
  const found = await table.payments(action);
  if (shown === said) ways = found;
}

/** Whether the best plan that was asked for begins with it. */
export function pays(table: Table, action: Action): boolean {
  return table.planning.moves.some(
    ({ action: move }) => "card" in move && "card" in action && move.card === action.card && move.kind === action.kind,
  );
}

export function leave(): void {
  shown = null;
}
