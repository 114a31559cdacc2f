// What became of my offers: somebody said no, or the deal was struck; told once, in the server's words.
import { untrack } from "svelte";
import { toast } from "~/lib/toasts.svelte";
import type { Table } from "~/lib/table.svelte";
import type { Seat } from "~/wire";

export interface Answer {
  text: string;
  good: boolean;
}

/** The sentences of lines after `since` that answer offers of mine; `mine` are the offers I made. */
export function answers(table: Pick<Table, "lines">, me: Seat, mine: ReadonlySet<string>, since: number): Answer[] {
  return table.lines.filter((line) => line.n > since).flatMap((line) =>
    line.events.flatMap<Answer>((event, n) => {
      const text = line.told[n];
      if (!text || !("by" in event) || event.by === me) return [];
      if (event.kind === "deal_declined" && mine.has(event.deal)) return [{ text, good: false }];
      return event.kind === "deal_struck" && (mine.has(event.deal) || event.parties.includes(me)) ? [{ text, good: true }] : [];
    }),
  );
}

/** Tell what becomes of my offers as long as the component that asks for it is shown. */
export function tellAnswers(table: Table): void {
  const mine = new Set<string>();
  let since: number | null = null;
  $effect(() => {
    const me = table.you;
    const last = table.lines.at(-1)?.n ?? table.n ?? 0;
    const found = me === null || since === null ? [] : answers(table, me, mine, since);
    since = Math.max(last, since ?? 0);
    untrack(() => found.forEach(({ text, good }) => toast(text, good ? "good" : "plain")));
  });
  $effect(() => {
    for (const deal of Object.values(table.view?.deals ?? {})) if (deal.proposer === table.you) mine.add(deal.id);
  });
}
