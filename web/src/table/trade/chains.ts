// Chains and matches: who could give what to whom so that everybody gets what they need; drafts only, nothing is sent.
import { items, type Goods, type GoodsKind } from "~/lib/goods";
import type { Clause, Seat, SeatNeeds } from "~/wire";
import { bookOf } from "~/lib/rates";

export interface Link {
  giver: Seat;
  to: Seat;
  kind: GoodsKind;
  n: number;
}

const LONGEST = 4;
const MOST = 4;

/** Cycles of two to four seats through me: each gives what it can spare to one who needs it. */
export function chains(all: readonly SeatNeeds[], me: Seat): Link[][] {
  const found: Link[][] = [];
  const go = (path: Link[], at: SeatNeeds, seen: Seat[]) => {
    for (const to of all) {
      const closes = to.seat === me && path.length > 0;
      if (to.seat === at.seat || (seen.includes(to.seat) && !closes)) continue;
      const link = best(at, to);
      if (!link) continue;
      if (closes) found.push(even([...path, link]));
      else if (path.length < LONGEST - 1) go([...path, link], to, [...seen, to.seat]);
    }
  };
  const mine = all.find((one) => one.seat === me);
  if (mine) go([], mine, [me]);
  return found.sort((one, other) => one.length - other.length || spread(one) - spread(other)).slice(0, MOST);
}

/** What one seat can best give another: the most valuable thing it can spare and the other needs. */
function best(from: SeatNeeds, to: SeatNeeds): Link | null {
  const fitting = items(to.needs).flatMap(([kind, n]) =>
    from.spare[kind] ? [{ giver: from.seat, to: to.seat, kind, n: Math.min(n, from.spare[kind]) }] : [],
  );
  return fitting.sort((one, other) => value(other) - value(one))[0] ?? null;
}

const value = (link: Link) => link.n * bookOf(link.kind);
const spread = (chain: Link[]) => Math.max(...chain.map(value)) - Math.min(...chain.map(value));

/** Everybody gives about as much as the one who gives least. */
function even(chain: Link[]): Link[] {
  const least = Math.min(...chain.map(value));
  return chain.map((link) => ({ ...link, n: Math.max(1, Math.min(link.n, Math.round(least / bookOf(link.kind)))) }));
}

export function clausesOf(chain: readonly Link[]): Clause[] {
  return chain.map(({ giver, to, kind, n }) => ({ kind: "give", giver, to, goods: { [kind]: n } }));
}

export interface Match {
  seat: Seat;
  get: Goods; // they can spare it and I need it
  give: Goods; // I can spare it and they need it
  idle: string[]; // what stands idle at the one who would get something
}

/** What is left over on one side and needed on the other, seat by seat. */
export function matches(all: readonly SeatNeeds[], me: Seat): Match[] {
  const mine = all.find((one) => one.seat === me);
  if (!mine) return [];
  const found = all
    .filter((one) => one.seat !== me)
    .map((one) => {
      const get = common(mine.needs, one.spare);
      const give = common(one.needs, mine.spare);
      return { seat: one.seat, get, give, idle: items(give).length ? one.idle : mine.idle };
    });
  const weight = ({ get, give }: Match) => items(get).length * 2 + items(give).length;
  return found.filter((one) => weight(one) > 0).sort((one, other) => weight(other) - weight(one));
}

export function common(needs: Goods, spare: Goods): Goods {
  return Object.fromEntries(
    items(needs).flatMap(([kind, n]) => (spare[kind] ? [[kind, Math.min(n, spare[kind])]] : [])),
  );
}
