// The cards of a seat as they lie in front of it.
import { card, mateOf } from "~/lib/catalog.svelte";
import type { Table } from "~/lib/table.svelte";
import type { CardId, Held, Seat, SeatView } from "~/wire";

export type GroupName = "starting" | "technology" | "relic" | "fleet" | "lent" | "colony" | "research" | "other";

export interface Group {
  name: GroupName;
  icon: string;
  cards: CardId[];
}

const ORDER: [GroupName, string][] = [
  ["starting", "i-upgrade"],
  ["technology", "i-technology"],
  ["colony", "i-colony"],
  ["research", "i-research"],
  ["relic", "i-relic"],
  ["fleet", "i-fleet"],
  ["other", "i-info"],
  ["lent", "i-loan"],
];
const GROUP_OF: Record<string, GroupName> = {
  starting: "starting",
  computer: "starting",
  territory: "colony",
  technology: "technology",
  relic: "relic",
  fleet: "fleet",
  colony: "colony",
  nullspace: "colony",
  research: "research",
  board: "other",
};

export function groups(player: SeatView, owner: Seat): Group[] {
  const found = new Map<GroupName, CardId[]>();
  for (const [id, held] of Object.entries(player.cards)) {
    const borrowed = held.owner !== undefined && held.owner !== null && held.owner !== owner;
    const name = borrowed ? "lent" : (GROUP_OF[card(id)?.kind ?? ""] ?? "other");
    found.set(name, [...(found.get(name) ?? []), id]);
  }
  return ORDER.flatMap(([name, icon]) => (found.has(name) ? [{ name, icon, cards: paired(found.get(name)!) }] : []));
}

/** The halves of a pair are one card: the half that carries the converter stands for both. */
export function paired(cards: CardId[]): CardId[] {
  const follows = (id: CardId) => !card(id)?.leads && card(id)?.mate && cards.includes(card(id)!.mate!);
  return cards.filter((id) => !follows(id));
}

/** How many columns a card takes: a pair has two names. */
export function breadth(id: CardId, cards: Record<CardId, Held>): number {
  return mateOf(id, cards) ? 2 : 1;
}

/** Cards not yet in play: those one can put there oneself, and the rest. */
export function waiting(player: SeatView): { enter: CardId[]; rest: CardId[] } {
  const enters = (id: CardId) => Boolean(card(id)?.entry?.cost);
  return { enter: player.deck.filter(enters), rest: player.deck.filter((id) => !enters(id)) };
}

/** The cards of a seat that lie in front of somebody else. */
export function lentOut(table: Table, owner: Seat): { id: CardId; holder: SeatView }[] {
  return table.players.flatMap((holder) =>
    holder.seat === owner
      ? []
      : Object.entries(holder.cards).flatMap(([id, held]) => (held.owner === owner ? [{ id, holder }] : [])),
  );
}
