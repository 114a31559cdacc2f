// What became of my offers and which steps were done for me, told once in the server's words; and what others
// said while the chat was not open.
// A deal that was struck is shown happening, by the scenes.
import { untrack } from "svelte";
import { toast } from "~/lib/toasts.svelte";
import type { Line, Table } from "~/lib/table.svelte";
import type { Said, Seat } from "~/wire";
import { speciesName } from "~/table/players/names";

/** The sentences of lines after `since` that turn offers of mine down; `mine` are the offers I made. */
export function refusals(table: Pick<Table, "lines">, me: Seat, mine: ReadonlySet<string>, since: number): string[] {
  return table.lines
    .filter((line) => line.n > since)
    .flatMap((line) =>
      line.events.flatMap((event, n) => {
        const text = line.told[n];
        return text && event.kind === "deal_declined" && event.by !== me && mine.has(event.deal) ? [text] : [];
      }),
    );
}

/** The sentences of lines after `since` that say a step was done for me: there was nothing to decide. */
export function spared(lines: readonly Line[], me: Seat, since: number): string[] {
  return lines
    .filter((line) => line.n > since)
    .flatMap((line) =>
      line.events.flatMap((event, n) =>
        event.kind === "step_spared" && event.seat === me ? (line.told[n] ?? []) : [],
      ),
    );
}

/** The sentences of lines after `since` that lay an offer before me, or strike a deal of mine. */
export function dealings(lines: readonly Line[], me: Seat, since: number): string[] {
  return lines
    .filter((line) => line.n > since)
    .flatMap((line) =>
      line.events.flatMap((event, n) =>
        (event.kind === "deal_offered" && event.deal.proposer !== me && event.deal.parties.includes(me)) ||
        (event.kind === "deal_struck" && event.parties.includes(me))
          ? (line.told[n] ?? [])
          : [],
      ),
    );
}

const SHORT = 140; // signs of what somebody said, in a note

/** What others said in lines after `since`. */
export function heard(lines: readonly Line[], me: Seat | null, since: number): Said[] {
  return lines
    .filter((line) => line.n > since)
    .flatMap((line) => line.events.filter((event): event is Said => event.kind === "said" && event.seat !== me));
}

let read = $state.raw<{ table: string; n: number; open: boolean }>({ table: "", n: 0, open: false });

/** How much was said that nobody here has read; what was said before the page was opened counts as read. */
export function unread(table: Table): number {
  return read.open || read.table !== table.id ? 0 : heard(table.lines, table.you, read.n).length;
}

const lastLine = (table: Table) => table.lines.at(-1)?.n ?? table.n ?? 0;

/** The chat is open: everything is read until it is left. */
export function readTalk(table: Table): () => void {
  read = { table: table.id, n: 0, open: true };
  return () => (read = { table: table.id, n: untrack(() => lastLine(table)), open: false });
}

/** Tell what becomes of my offers, and what is said, as long as the component that asks for it is shown. */
export function tellAnswers(table: Table): void {
  const mine = new Set<string>();
  let since: number | null = null;
  $effect(() => {
    const me = table.you;
    const last = lastLine(table);
    if (since === null && read.table !== table.id) read = { table: table.id, n: last, open: false };
    const said = since === null || read.open ? [] : heard(table.lines, me, since);
    const found =
      me === null || since === null ? [] : [...refusals(table, me, mine, since), ...spared(table.lines, me, since)];
    since = Math.max(last, since ?? 0);
    untrack(() => found.forEach((text) => toast(text)));
    untrack(() =>
      said.forEach(({ seat, text }) =>
        toast(`${speciesName(table, seat)}: ${text.length > SHORT ? `${text.slice(0, SHORT)} …` : text}`),
      ),
    );
  });
  $effect(() => {
    for (const deal of Object.values(table.view?.deals ?? {})) if (deal.proposer === table.you) mine.add(deal.id);
  });
}
