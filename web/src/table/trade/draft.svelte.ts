// The offer being put together: whom it is for, what I get, what I give, now or later; other clauses besides.
import { createContext } from "svelte";
import { isNothing, items, plus, short, type Goods, type GoodsKind } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import {
  ANYONE,
  type CardId,
  type Clause,
  type Deal,
  type Give,
  type Handing,
  type Obligation,
  type Seat,
} from "~/wire";
import { lends, takenBy } from "./deals";

/** The two sides of the offer as I see it. */
export type Way = "get" | "give";
type Both<Thing> = Record<Way, Thing>;

export class Draft {
  to = $state<Seat | null>(null);
  /** Parties besides me and the one it is for. */
  others = $state.raw<Seat[]>([]);
  get = $state.raw<Goods>({});
  give = $state.raw<Goods>({});
  /** From the donation card. */
  gifts = $state.raw<Both<Goods>>({ get: {}, give: {} });
  /** Cards that change hands, or are lent where they can only be lent. */
  cards = $state.raw<Both<CardId[]>>({ get: [], give: [] });
  /** The turn a side is put off to; null is now. */
  turns = $state.raw<Both<number | null>>({ get: null, give: null });
  /** Clauses beyond that: between others, on a condition, licences, forbearances, words. */
  more = $state.raw<Clause[]>([]);
  answers = $state<string | null>(null);
  settles = $state.raw<string[]>([]);
  /** Somebody asked for the composer to be shown (the phone opens its sheet). */
  open = $state(false);

  get isEmpty(): boolean {
    return this.bare("get") && this.bare("give") && !this.more.length && !this.settles.length;
  }

  bare(way: Way): boolean {
    return isNothing(this[way]) && isNothing(this.gifts[way]) && !this.cards[way].length;
  }

  /** Nothing is given for what is asked: a question for the price. */
  get asksPrice(): boolean {
    return !this.bare("get") && this.bare("give") && !this.more.length;
  }

  get typed(): string {
    return isNothing(this.get) && isNothing(this.give) ? "" : `${this.#side("give")} > ${this.#side("get")}`.trim();
  }

  #side(way: Way): string {
    const turn = this.turns[way];
    return `${short(this[way])}${turn === null || isNothing(this[way]) ? "" : ` @${turn}`}`;
  }

  /** Ask for a good; of a party besides, it becomes a clause of its own. */
  want(seat: Seat, kind: GoodsKind, n = 1): void {
    if (this.others.includes(seat)) return this.#wantOf(seat, kind, n);
    if (this.to !== ANYONE) this.#turnTo(seat); // what was meant for anyone stays so
    this.get = plus(this.get, kind, n);
  }

  wantGift(seat: Seat, kind: GoodsKind, n = 1): void {
    this.#turnTo(seat);
    this.gift("get", kind, n);
  }

  offer(kind: GoodsKind, n = 1): void {
    this.give = plus(this.give, kind, n);
  }

  gift(way: Way, kind: GoodsKind, n = 1): void {
    this.gifts = { ...this.gifts, [way]: plus(this.gifts[way], kind, n) };
  }

  change(way: Way, kind: GoodsKind, n: number): void {
    this[way] = plus(this[way], kind, n);
  }

  /** Take a card into the offer, or out of it again. */
  card(way: Way, id: CardId, of: Seat | null = null): void {
    if (way === "get" && of !== null) this.#turnTo(of);
    const there = this.cards[way].includes(id);
    this.cards = {
      ...this.cards,
      [way]: there ? this.cards[way].filter((one) => one !== id) : [...this.cards[way], id],
    };
  }

  later(way: Way, turn: number | null): void {
    this.turns = { ...this.turns, [way]: turn };
  }

  add(...clauses: Clause[]): void {
    this.more = [...this.more, ...clauses];
  }

  party(seat: Seat, joins = true): void {
    this.others = joins ? [...new Set([...this.others, seat])] : this.others.filter((one) => one !== seat);
  }

  clear(): void {
    this.to = null;
    this.others = [];
    this.get = {};
    this.give = {};
    this.gifts = { get: {}, give: {} };
    this.cards = { get: [], give: [] };
    this.turns = { get: null, give: null };
    this.more = [];
    this.answers = null;
    this.settles = [];
  }

  /** Start from somebody's offer; the original stays open. */
  counter(deal: Deal, me: Seat): void {
    this.clear();
    this.to = deal.proposer;
    this.answers = deal.id;
    this.others = deal.parties.filter((seat) => seat !== me && seat !== deal.proposer && seat !== ANYONE);
    this.#read(takenBy(deal, me).clauses, me);
    this.open = true;
  }

  /** Put a promise on other terms: those of the deal it came from must all agree. */
  renew(owed: Obligation, me: Seat): void {
    this.clear();
    const [first, ...rest] = owed.parties.filter((seat) => seat !== me);
    this.to = first ?? null;
    this.others = rest;
    this.settles = [owed.id];
    this.more = [owed.clause];
    this.open = true;
  }

  /** Start from clauses that were found, with everybody in them. */
  start(clauses: readonly Clause[], me: Seat, parties: Seat[]): void {
    this.clear();
    const [first, ...rest] = parties.filter((seat) => seat !== me);
    this.to = first ?? null;
    this.others = rest;
    this.#read(clauses, me);
    this.open = true;
  }

  #read(clauses: readonly Clause[], me: Seat): void {
    for (const clause of clauses) {
      const way = wayOf(clause, me, this.to);
      if (way && clause.kind === "give" && this.bare(way)) this.#lay(way, clause);
      else if (way && clause.kind === "lend" && !this.cards[way].includes(clause.card)) this.card(way, clause.card);
      else this.add(clause);
    }
  }

  #lay(way: Way, clause: Give): void {
    this[way] = clause.goods ?? {};
    this.gifts = { ...this.gifts, [way]: clause.donation ?? {} };
    this.cards = { ...this.cards, [way]: clause.cards ?? [] };
  }

  #turnTo(seat: Seat): void {
    if (this.to !== seat && this.to !== null && this.to !== ANYONE) {
      this.get = {};
      this.gifts = { ...this.gifts, get: {} };
      this.cards = { ...this.cards, get: [] };
    }
    this.to = seat;
  }

  #wantOf(seat: Seat, kind: GoodsKind, n: number): void {
    const asked = (clause: Clause): clause is Give =>
      clause.kind === "give" && clause.giver === seat && !clause.cards?.length;
    const before = this.more.find(asked);
    if (!before)
      return n > 0 ? this.add({ kind: "give", giver: seat, to: this.#me ?? ANYONE, goods: { [kind]: n } }) : undefined;
    const goods = plus(before.goods ?? {}, kind, n);
    this.more = this.more.flatMap((clause) =>
      clause !== before ? [clause] : isNothing(goods) ? [] : [{ ...before, goods }],
    );
  }

  /** Whose draft it is, for clauses with parties besides. */
  #me: Seat | null = null;
  of(me: Seat | null): void {
    this.#me = me;
  }

  clauses(me: Seat): Clause[] {
    const to = this.to ?? ANYONE;
    return [...this.#clauses("give", me, to), ...this.#clauses("get", to, me), ...this.more];
  }

  #clauses(way: Way, giver: Seat, to: Seat): Clause[] {
    const due = this.turns[way];
    const lent = this.cards[way].filter(lends);
    const cards = this.cards[way].filter((id) => !lends(id));
    const donation = this.gifts[way];
    // A promise names goods without saying where they will come from.
    const goods = due === null ? this[way] : items(donation).reduce((sum, [kind, n]) => plus(sum, kind, n), this[way]);
    const given: Give = {
      kind: "give",
      giver,
      to,
      goods,
      ...(cards.length ? { cards } : {}),
      ...(due !== null || isNothing(donation) ? {} : { donation }),
    };
    const handed: Handing[] = lent.map((card) => ({ kind: "lend", giver, to, card }));
    if (!isNothing(goods) || given.donation || cards.length) handed.unshift(given);
    return due === null ? handed : handed.map((what) => ({ kind: "pledge", what, due }));
  }

  async send(table: Table, reason = ""): Promise<boolean> {
    const me = table.you;
    if (me === null || this.isEmpty) return false;
    const parties = [me, this.to ?? ANYONE, ...this.others];
    const { answers, settles } = this;
    const sent = await table.do(
      {
        kind: "propose_deal",
        parties,
        clauses: this.clauses(me),
        answers,
        ...(settles.length ? { settles } : {}),
        ...(reason ? { reason } : {}),
      },
      "offer",
    );
    if (sent) {
      this.clear();
      this.open = false;
    }
    return sent;
  }
}

/** On which side of an offer to `to` a clause lies; null: it is between others, or not a handing over now. */
function wayOf(clause: Clause, me: Seat, to: Seat | null): Way | null {
  if (clause.kind !== "give" && clause.kind !== "lend") return null;
  if (clause.giver === me && clause.to === to) return "give";
  return clause.giver === to && clause.to === me ? "get" : null;
}

export const [useDraft, setDraft] = createContext<Draft>();
