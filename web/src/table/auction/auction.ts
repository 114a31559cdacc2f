// An auction as it is shown: who has acted and how, who is next, and what put one bid before another.
import type { Line, Table } from "~/lib/table.svelte";
import type { BidsRevealed, CardBought, CardId, GameEvent, Seat, Standing, Track } from "~/wire";

export interface Row {
  key: string;
  seat: Seat;
  ships: number;
  standing: Standing | null; // null: it had no bid, or the log is from before this was told
  did: "waits" | "bought" | "passed" | "none";
  card: CardId | null;
  half: boolean;
}

/** The track whose bids are open now. */
export function trackNow(table: Table): Track | null {
  const step = table.view?.step;
  return step === "colony_auction" ? "colony" : step === "research_auction" ? "research" : null;
}

const keyOf = (bid: { seat: Seat; ships: number }) => `${bid.seat}.${bid.ships}`;

/** The events since the bids of a track were opened; empty before. */
export function since(lines: readonly Line[], track: Track): GameEvent[] {
  const events = lines.slice(-400).flatMap((line) => line.events as GameEvent[]);
  const at = events.findLastIndex((event) => event.kind === "bids_revealed" && event.track === track);
  return at < 0 ? [] : events.slice(at);
}

/** How each bid stood when it was opened or split, by seat and ships: the events say it to everybody alike. */
function told(events: readonly GameEvent[]): Map<string, Standing> {
  const known = new Map<string, Standing>();
  for (const event of events) {
    if (event.kind === "bids_revealed") for (const one of event.order ?? []) known.set(keyOf(one), one);
    if (event.kind !== "bid_split") continue;
    const whole = [...known.values()].find((one) => one.seat === event.by);
    for (const half of event.halves)
      if (whole) known.set(keyOf(half), { ...whole, ...half, half: true, counts: half.ships, ahead: null });
  }
  return known;
}

/** Every bid of an auction in the order of play: those that acted, those that wait, those without a bid. */
export function rows(events: readonly GameEvent[], standing: readonly Standing[]): Row[] {
  const revealed = events[0] as BidsRevealed | undefined;
  const known = told(events);
  const acted = events.flatMap((event, n): Row[] => {
    if ((event.kind !== "card_bought" && event.kind !== "bid_passed") || event.track !== revealed?.track) return [];
    const bid = { seat: event.by, ships: event.ships };
    const stood = known.get(keyOf(bid)) ?? null;
    const card = event.kind === "card_bought" ? (event as CardBought).card : null;
    return [
      { key: `a${n}`, ...bid, standing: stood, did: card ? "bought" : "passed", card, half: stood?.half ?? false },
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
