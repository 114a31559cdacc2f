// Offers read off the view: whose they are, what each side hands over, whether they bind beyond the moment.
import { card, species } from "~/lib/catalog.svelte";
import { TOKENS, type GoodsKind } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import { ANYONE, type CardId, type Clause, type Deal, type Handing, type Seat, type SeatView } from "~/wire";

export interface Sides {
  get: Clause[]; // comes to me
  give: Clause[]; // goes from me
  rest: Clause[]; // between others, and words
}

export function giver(clause: Clause): Seat | null {
  switch (clause.kind) {
    case "pledge":
      return clause.what.giver;
    case "undertake":
      return clause.deed.who;
    case "forbear":
      return clause.who;
    case "note":
      return null;
    default:
      return clause.giver;
  }
}

export function receiver(clause: Clause): Seat | null {
  if (clause.kind === "note") return null;
  return clause.kind === "pledge" ? clause.what.to : clause.to;
}

/** What a clause hands over, now or later. */
export function handing(clause: Clause): Handing | null {
  if (clause.kind === "pledge") return clause.what.kind === "one_of" ? null : clause.what;
  return clause.kind === "give" || clause.kind === "lend" || clause.kind === "license" ? clause : null;
}

/** The offer as a seat sees it; in an offer to anyone that is not mine, anyone is me. */
export function sides(deal: Deal, me: Seat | null): Sides {
  const is = (seat: Seat | null) => seat !== null && (seat === me || (seat === ANYONE && deal.proposer !== me));
  const get = deal.clauses.filter((clause) => is(receiver(clause)));
  const give = deal.clauses.filter((clause) => is(giver(clause)) && !is(receiver(clause)));
  return { get, give, rest: deal.clauses.filter((clause) => !get.includes(clause) && !give.includes(clause)) };
}

const BINDING: readonly Clause["kind"][] = ["lend", "pledge", "undertake", "forbear"];

export function binds(deal: Pick<Deal, "clauses">): boolean {
  return deal.clauses.some((clause) => BINDING.includes(clause.kind));
}

/** Whether a seat would be bound by it beyond the moment; in an offer to anyone that is not its own, anyone is it. */
export function bindsSeat(deal: Deal, seat: Seat | null): boolean {
  if (seat === null) return false;
  const clauses = deal.proposer === seat ? deal.clauses : takenBy(deal, seat).clauses;
  return clauses.some((clause) => BINDING.includes(clause.kind) && giver(clause) === seat);
}

/** Its maker gives nothing: a question for the price. */
export function asksPrice(deal: Deal): boolean {
  const words = deal.clauses.filter((clause) => clause.kind !== "note");
  return !deal.settles?.length && words.length > 0 && words.every((clause) => receiver(clause) === deal.proposer);
}

export const isOpen = (deal: Deal) => deal.parties.includes(ANYONE);

/** An offer to anyone with a seat in the place of anyone. */
export function takenBy(deal: Deal, seat: Seat): Deal {
  return isOpen(deal) ? (named(deal, seat) as Deal) : deal;
}

function named(part: unknown, seat: Seat): unknown {
  if (part === ANYONE) return seat;
  if (Array.isArray(part)) return part.map((one) => named(one, seat));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(Object.entries(part).map(([field, value]) => [field, named(value, seat)]));
}

/** Whether a card has a species' border: it leaves its owner for a turn only. */
export function lends(id: CardId): boolean {
  const found = card(id);
  return Boolean(found?.species) && !found?.keeps;
}

/** Whether a card can change hands at all. */
export function tradable(id: CardId): boolean {
  return card(id)?.tradable !== false && card(id)?.kind !== "board";
}

/** The cards of a seat that can be part of an offer; what is borrowed goes back to where it came from. */
export function tradableCards(player: SeatView): CardId[] {
  const own = Object.entries(player.cards).filter(
    ([, held]) => held.owner === undefined || held.owner === null || held.owner === player.seat,
  );
  return own.map(([id]) => id).filter(tradable);
}

/** The tokens a player can put into an offer: those the species begins with. */
export function tokens(player: SeatView | null | undefined): GoodsKind[] {
  return TOKENS.filter((kind) => player?.stock[kind] && species(player.species)?.stock[kind]);
}

export interface Desk {
  forMe: Deal[];
  market: Deal[];
  mine: Deal[];
}

/** The open offers by whom they are for, newest first. */
export function desk(table: Table): Desk {
  const me = table.you;
  const all = Object.values(table.view?.deals ?? {}); // the newest last: nothing moves under a pointer
  const mine = all.filter((deal) => deal.proposer === me);
  const forMe = all.filter(
    (deal) => deal.proposer !== me && me !== null && deal.parties.includes(me) && !deal.accepted?.includes(me),
  );
  return { mine, forMe, market: all.filter((deal) => !mine.includes(deal) && !forMe.includes(deal)) };
}
