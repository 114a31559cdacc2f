// An auction as it is shown: who has acted and how, who is next, and what put one bid before another.
import type { Line, Table } from "~/lib/table.svelte";
import type { BidsRevealed, CardBought, CardId, GameEvent, Seat, Standing, Track } from "~/wire";

export interface Row {
  key: string;
  seat: Seat;
  ships: number;
  standing: Standing | null; // null: nobody heard how it stood
  did: "waits" | "bought" | "passed" | "none";
  card: CardId | null;
  half: boolean;
}

/** What the server said of a bid is kept here after the bid was acted on. */
export type Seen = Map<string, Standing>;

type Memory = Map<Track, { turn: number; seen: Seen }>;
const memory = new WeakMap<Table, Memory>();

/** What was heard survives a reload of the page, in this window. */
const slot = (table: Table) => `elysian-bids-${table.id}`;
function recall(table: Table): Memory {
  const known = memory.get(table);
  if (known) return known;
  let kept: [Track, number, [string, Standing][]][] = [];
  try {
    kept = JSON.parse(sessionStorage.getItem(slot(table)) ?? "[]") as typeof kept;
  } catch {
    // Without a memory the order is shown without its reasons.
  }
  const found: Memory = new Map(kept.map(([track, turn, seen]) => [track, { turn, seen: new Map(seen) }]));
  memory.set(table, found);
  return found;
}
function keep(table: Table, tracks: Memory): void {
  try {
    sessionStorage.setItem(
      slot(table),
      JSON.stringify([...tracks].map(([track, { turn, seen }]) => [track, turn, [...seen]])),
    );
  } catch {
    // As above.
  }
}

/** The track whose bids are open now. */
export function trackNow(table: Table): Track | null {
  const step = table.view?.step;
  return step === "colony_auction" ? "colony" : step === "research_auction" ? "research" : null;
}

/** Keep how the open bids stand; a new turn begins anew. */
export function remember(table: Table): void {
  const [track, view] = [trackNow(table), table.view];
  if (!track || !view) return;
  const tracks = recall(table);
  const kept = tracks.get(track);
  const seen: Seen = new Map(kept?.turn === view.turn ? kept.seen : []);
  for (const one of view.standing) seen.set(keyOf(one), one);
  keep(table, tracks.set(track, { turn: view.turn, seen }));
}

export function remembered(table: Table, track: Track): Seen {
  return recall(table).get(track)?.seen ?? new Map<string, Standing>();
}

export const keyOf = (bid: { seat: Seat; ships: number }) => `${bid.seat}.${bid.ships}`;

/** The events since the bids of a track were opened; empty before. */
export function since(lines: readonly Line[], track: Track): GameEvent[] {
  const events = lines.slice(-400).flatMap((line) => line.events as GameEvent[]);
  const at = events.findLastIndex((event) => event.kind === "bids_revealed" && event.track === track);
  return at < 0 ? [] : events.slice(at);
}

/** Every bid of an auction in the order of play: those that acted, those that wait, those without a bid. */
export function rows(events: readonly GameEvent[], standing: readonly Standing[], seen: Seen): Row[] {
  const revealed = events[0] as BidsRevealed | undefined;
  const acted = events.flatMap((event, n): Row[] => {
    if ((event.kind !== "card_bought" && event.kind !== "bid_passed") || event.track !== revealed?.track) return [];
    const bid = { seat: event.by, ships: event.ships };
    const known = seen.get(keyOf(bid)) ?? null;
    const card = event.kind === "card_bought" ? (event as CardBought).card : null;
    return [
      { key: `a${n}`, ...bid, standing: known, did: card ? "bought" : "passed", card, half: known?.half ?? false },
    ];
  });
  const waiting = standing.map((one, n): Row => ({
    key: `w${n}.${keyOf(one)}`,
    seat: one.seat,
    ships: one.ships,
    standing: one,
    did: "waits",
    card: null,
    half: one.half,
  }));
  const none = (revealed?.bids ?? [])
    .filter((bid) => !bid.ships)
    .map((bid): Row => ({
      key: `n${bid.seat}`,
      seat: bid.seat,
      ships: 0,
      standing: null,
      did: "none",
      card: null,
      half: false,
    }));
  return [...acted, ...waiting, ...none];
}

export interface Reason {
  key: "bid.ahead_always" | "bid.ahead_cards" | "bid.ahead_tiebreaker";
  seat: Seat; // the one it came before
  mine: string;
  theirs: string;
}

/** The tie-break that put a row before the next one; null where the bid alone did. */
export function reason(row: Row, next: Row | undefined): Reason | null {
  const [one, other] = [row.standing, next?.standing];
  if (!one || !other || (one.ahead !== "cards" && one.ahead !== "tiebreaker")) return null;
  const sign = (n: number | null) => (n === null ? "∞" : String(n));
  if (one.ahead === "tiebreaker")
    return {
      key: "bid.ahead_tiebreaker",
      seat: other.seat,
      mine: sign(one.tiebreaker),
      theirs: sign(other.tiebreaker),
    };
  const always = one.held < 0; // counted as fewer than any: this species wins every such tie
  return {
    key: always ? "bid.ahead_always" : "bid.ahead_cards",
    seat: other.seat,
    mine: sign(one.held),
    theirs: sign(other.held),
  };
}
