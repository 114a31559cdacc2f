// What happened since one was last at a table, read off its log.
import { isNothing, items, type Goods, type GoodsKind } from "~/lib/goods";
import type { Line } from "~/lib/table.svelte";
import type { Deal, DealStruck, Give, Seat } from "~/wire";

/** Whoever was away for less need not be told, unless something was done for them. */
export const AWAY = 5 * 60_000;

/** What was on the screen when one was last here; kept in the browser. */
export interface Mark {
  n: number;
  at: number;
  turn: number;
  stock: Goods;
  runs: number; // of the plan, and how many of them could not be paid
  short: number;
}

export interface Told {
  key: string;
  text: string;
  ordered: boolean; // by an order of mine
  undo?: { clauses: Give[]; parties: Seat[] }; // the offer that would bring back what changed hands
}

export interface Absence {
  n: number; // the last line before it
  from: number;
  mine: Told[]; // what was done for me, deals of mine, and who declined what I offered
  gone: Pick<Told, "key" | "text">[]; // offers to me that were taken back
  traded: boolean;
  deals: number; // between others
  said: { key: string; seat: Seat; text: string }[];
  covered: boolean;
}

/** What happened since a line, or since one last did something oneself; null: nothing one must be told. */
export function absenceSince(
  lines: readonly Line[],
  me: Seat,
  mark: Pick<Mark, "n" | "at"> | null,
  now: number,
): Absence | null {
  const start = lastDeed(lines, me, mark);
  if (!start) return null;
  const found: Absence = {
    n: start.n,
    from: start.at,
    mine: [],
    gone: [],
    traded: false,
    deals: 0,
    said: [],
    covered: false,
  };
  const offered = new Set(lines.flatMap((line) => line.events.map((e) => (e.kind === "order_fired" ? e.offer : null))));
  const deals = new Map(
    lines.flatMap((line) =>
      line.events.flatMap((e) => (e.kind === "deal_offered" ? [[e.deal.id, e.deal] as const] : [])),
    ),
  );
  for (const line of lines) if (line.n > start.n) tell(found, line, me, offered, deals);
  const forMe = found.covered || found.mine.some((one) => one.ordered);
  const happened = found.mine.length + found.gone.length + found.deals + found.said.length > 0;
  return (happened || found.covered) && (forMe || now - start.at >= AWAY) ? found : null;
}

/** The mark, or what one did oneself after it, perhaps on another device. */
function lastDeed(lines: readonly Line[], me: Seat, mark: Pick<Mark, "n" | "at"> | null) {
  let last: { n: number; at: number } | null = mark && { n: mark.n, at: mark.at };
  let covered = false;
  for (const line of lines) {
    const ordered = line.events.some((event) => event.kind === "order_fired");
    if (line.seat === me && !covered && !ordered && line.events.length && line.n > (last?.n ?? 0))
      last = { n: line.n, at: line.at };
    for (const event of line.events)
      if (event.kind === "seat_covered" && event.seat === me) {
        covered = true;
        last ??= { n: line.n - 1, at: line.at };
      } else if (event.kind === "seat_handed_back" && event.seat === me) covered = false;
  }
  return last;
}

function tell(
  found: Absence,
  line: Line,
  me: Seat,
  offered: ReadonlySet<string | null | undefined>,
  deals: ReadonlyMap<string, Deal>,
): void {
  const fired = line.events.some((event) => event.kind === "order_fired");
  line.events.forEach((event, n) => {
    const key = `${line.n}.${n}`;
    const text = line.told[n] ?? "";
    if (event.kind === "seat_covered" && event.seat === me) found.covered = true;
    else if (event.kind === "said") {
      if (event.seat !== me) found.said.push({ key, seat: event.seat, text: event.text });
    } else if (event.kind === "deal_struck" && !event.parties.includes(me)) found.deals += 1;
    else if (event.kind === "deal_withdrawn" && event.by !== me) {
      if (deals.get(event.deal)?.parties.includes(me)) found.gone.push({ key, text });
    } else if (event.kind === "deal_declined" && event.by !== me) {
      if (deals.get(event.deal)?.proposer === me) found.mine.push({ key, text, ordered: false });
    } else if (concerns(event, me)) {
      const ordered = fired || (event.kind === "deal_struck" && offered.has(event.deal));
      const undo = event.kind === "deal_struck" ? undoing(event) : undefined;
      if (text) found.mine.push({ key, text, ordered, undo });
      if (event.kind === "deal_struck") found.traded = true;
    }
  });
}

/** The same deal the other way round; promises are put on other terms in the ledger. */
function undoing({ moved = [], parties }: DealStruck): Told["undo"] {
  const clauses = moved.flatMap(({ giver, to, goods = {}, cards = [] }) =>
    isNothing(goods) && !cards.length ? [] : [{ kind: "give" as const, giver: to, to: giver, goods, cards }],
  );
  return clauses.length ? { clauses, parties } : undefined;
}

function concerns(event: Line["events"][number], me: Seat): boolean {
  if (event.kind === "deal_struck") return event.parties.includes(me);
  return "by" in event && event.by === me;
}

/** What one has more or less of than before. */
export function changed(before: Goods, now: Goods): [GoodsKind, number][] {
  const kinds = new Set([...items(before), ...items(now)].map(([kind]) => kind));
  return [...kinds].flatMap((kind) => {
    const by = (now[kind] ?? 0) - (before[kind] ?? 0);
    return by ? [[kind, by] as [GoodsKind, number]] : [];
  });
}
