// An offer that is being put together outlives a page that is loaded anew: it is kept in this tab until it is sent.
import type { Table } from "~/lib/table.svelte";
import type { Draft, Unsent } from "./draft.svelte";

interface Kept {
  turn: number;
  you: number;
  offer: Unsent;
}
type Seen = Pick<Table, "id" | "you" | "view">;
const key = (table: Seen) => `elysian.offer.${table.id}`;

/** Keep what lies in the composer; nothing, when it is empty. */
export function keep(draft: Draft, table: Seen): void {
  const { you, view } = table;
  try {
    if (draft.isEmpty || you === null || !view) sessionStorage.removeItem(key(table));
    else sessionStorage.setItem(key(table), JSON.stringify({ turn: view.turn, you, offer: draft.unsent } as Kept));
  } catch {
    // A browser without storage forgets.
  }
}

/** Lay back what was kept in the same turn of the same seat; an offer that is gone is no longer answered. */
export function bringBack(draft: Draft, table: Seen): void {
  let kept: Kept | null = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(key(table)) ?? "null") as Kept | null;
  } catch {
    // Nothing, or nothing that can be read.
  }
  if (!kept || kept.turn !== table.view?.turn || kept.you !== table.you) return;
  const { answers } = kept.offer;
  draft.unsent = { ...kept.offer, answers: answers !== null && answers in table.view.deals ? answers : null };
}
