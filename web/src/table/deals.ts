// Offers read off the view: whose they are, what each side hands over, whether they bind beyond the moment.
import type { Table } from "~/lib/table.svelte";
import { ANYONE, type Clause, type Deal, type Seat } from "~/wire";

export interface Sides {
  get: Clause[]; // comes to me
  give: Clause[]; // goes from me
  rest: Clause[]; // between others, and words
}

export function giver(clause: Clause): Seat | null {
  switch (clause.kind) {
    case "pledge": return clause.what.giver;
    case "undertake": return clause.deed.who;
    case "forbear": return clause.who;
    case "note": return null;
    default: return clause.giver;
  }
}

export function receiver(clause: Clause): Seat | null {
  if (clause.kind === "note") return null;
  return clause.kind === "pledge" ? clause.what.to : clause.to;
}

/** The offer as a seat sees it; in an offer to anyone that is not mine, anyone is me. */
export function sides(deal: Deal, me: Seat | null): Sides {
  const is = (seat: Seat | null) => seat !== null && (seat === me || (seat === ANYONE && deal.proposer !== me));
  const get = deal.clauses.filter((clause) => is(receiver(clause)));
  const give = deal.clauses.filter((clause) => is(giver(clause)) && !is(receiver(clause)));
  return { get, give, rest: deal.clauses.filter((clause) => !get.includes(clause) && !give.includes(clause)) };
}

export function binds(deal: Deal): boolean {
  return deal.clauses.some((clause) => ["lend", "pledge", "undertake", "forbear"].includes(clause.kind));
}

export const isOpen = (deal: Deal) => deal.parties.includes(ANYONE);

export interface Desk {
  forMe: Deal[];
  market: Deal[];
  mine: Deal[];
}

/** The open offers by whom they are for, newest first. */
export function desk(table: Table): Desk {
  const me = table.you;
  const all = Object.values(table.view?.deals ?? {}).reverse();
  const mine = all.filter((deal) => deal.proposer === me);
  const forMe = all.filter((deal) => deal.proposer !== me && me !== null && deal.parties.includes(me) && !deal.accepted?.includes(me));
  return { mine, forMe, market: all.filter((deal) => !mine.includes(deal) && !forMe.includes(deal)) };
}
