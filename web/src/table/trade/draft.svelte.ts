// The offer being put together: whom it is for, what I get, what I give, now or later; other clauses besides.
import { createContext } from "svelte";
import { isNothing, items, plus, short, type Goods, type GoodsKind } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import {
  ANYONE,
  TURNS,
  type CardId,
  type Clause,
  type Deal,
  type Deed,
  type Give,
  type Handing,
  type Obligation,
  type OneOf,
  type Pledge,
  type Seat,
  type SeatView,
} from "~/wire";
import type { Subject } from "./clauses";
import { giver as giverOf, lends, receiver, takenBy } from "./deals";

/** The two sides of the offer as I see it. */
export type Way = "get" | "give";
type Both<Thing> = Record<Way, Thing>;

/** What makes up an offer that is not sent yet. */
const PARTS = [
  ...(["to", "others", "get", "give", "gifts", "cards", "turns", "lots", "choosers", "conditions"] as const),
  ...(["more", "answers", "settles"] as const),
];
export type Unsent = Pick<Draft, (typeof PARTS)[number]>;

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
  /** Lots before the one being put together: a side of several is a promise of a choice. */
  lots = $state.raw<Both<Goods[]>>({ get: [], give: [] });
  choosers = $state.raw<Both<OneOf["chosen_by"]>>({ get: "creditor", give: "creditor" });
  /** The deed a side that is put off hangs on. */
  conditions = $state.raw<Both<Deed | null>>({ get: null, give: null });
  /** Clauses beyond that: between others, on a condition, licences, forbearances, words. */
  more = $state.raw<Clause[]>([]);
  answers = $state<string | null>(null);
  settles = $state.raw<string[]>([]);
  /** Somebody asked for the composer to be shown (the phone opens its sheet). */
  open = $state(false);
  /** What somebody tapped to say something about it in the offer. */
  about = $state.raw<Subject | null>(null);
  /** Who is tapped next joins the offer instead of taking the other's place. */
  joining = $state(false);

  get isEmpty(): boolean {
    return this.bare("get") && this.bare("give") && !this.more.length && !this.settles.length;
  }

  get unsent(): Unsent {
    return Object.fromEntries(PARTS.map((part) => [part, this[part]])) as unknown as Unsent;
  }

  set unsent(parts: Unsent) {
    Object.assign(this, parts);
  }

  bare(way: Way): boolean {
    return isNothing(this[way]) && isNothing(this.gifts[way]) && !this.cards[way].length && !this.lots[way].length;
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

  /** Those an offer is made with, besides me. */
  get parties(): Seat[] {
    return this.to === null ? this.others : [this.to, ...this.others];
  }

  /** Take a seat into the offer; where it is for anyone, it stays for anyone. */
  include(seat: Seat): void {
    if (seat === this.#me || this.to === ANYONE || this.parties.includes(seat)) return;
    if (this.to === null) this.to = seat;
    else this.party(seat);
    this.joining = false;
  }

  /** Ask for a good; of a party besides, it becomes a clause of its own. */
  want(seat: Seat, kind: GoodsKind, n = 1): void {
    if (this.joining && this.to !== null) this.include(seat);
    if (this.others.includes(seat)) return this.#count(seat, kind, n);
    if (this.to !== ANYONE) this.#turnTo(seat); // what was meant for anyone stays so
    this.get = plus(this.get, kind, n);
  }

  wantGift(seat: Seat, kind: GoodsKind, n = 1): void {
    if (this.to !== ANYONE) this.#turnTo(seat);
    this.gift("get", kind, n);
  }

  /** Give a good: to whom I give already, else to the first who gets nothing yet. */
  offer(kind: GoodsKind, n = 1): void {
    if (this.others.length && this.#me !== null) {
      const to = this.#mine ?? this.#emptyHanded(this.#me);
      if (to !== this.to) return this.#count(this.#me, kind, n, to);
    }
    this.give = plus(this.give, kind, n);
  }

  /** To whom my goods go as it stands; null while I give nothing. */
  get #mine(): Seat | null {
    if (!this.bare("give")) return this.to;
    const last = this.more.findLast((clause) => clause.kind === "give" && clause.giver === this.#me);
    return last ? receiver(last) : null;
  }

  /** The first party that gets nothing yet, else the one I would give to or, of others' goods, I. */
  #emptyHanded(from: Seat): Seat {
    const me = this.#me ?? ANYONE;
    const order = [me, ...this.parties].filter((seat) => seat !== from);
    const gets = new Set(this.clauses(me).map(receiver));
    return order.find((seat) => !gets.has(seat)) ?? order[0]!;
  }

  /** How many of a good a seat would hand over now. */
  asked(seat: Seat, kind: GoodsKind): number {
    const own = seat === this.#me ? this.give[kind] : seat === this.to ? this.get[kind] : 0;
    const besides = this.more.flatMap((clause) =>
      clause.kind === "give" && clause.giver === seat ? (clause.goods?.[kind] ?? 0) : [],
    );
    return besides.reduce((sum, n) => sum + n, own ?? 0);
  }

  /** How many of a good a seat would promise, in clauses of their own. */
  promised(seat: Seat, kind: GoodsKind): number {
    const found = this.more.filter((clause) => isPromise(clause, seat)) as Pledge[];
    return found.reduce((sum, { what }) => sum + ((what as Give).goods?.[kind] ?? 0), 0);
  }

  /** Promise a good for a turn: what nobody holds yet can only be promised. */
  promise(from: Seat, kind: GoodsKind, due: number, n = 1): void {
    if (from !== this.#me && (this.joining || this.to === null)) this.include(from);
    const giver = from === this.#me || this.to !== ANYONE ? from : ANYONE;
    const before = this.more.find((clause) => isPromise(clause, giver)) as Pledge | undefined;
    if (before) {
      const goods = plus((before.what as Give).goods ?? {}, kind, n);
      this.#swap(before, isNothing(goods) ? null : { ...before, what: { ...(before.what as Give), goods } });
    } else if (n > 0) {
      const to = giver === this.#me ? (this.#mine ?? this.to ?? ANYONE) : this.#emptyHanded(giver);
      this.add({ kind: "pledge", what: { kind: "give", giver, to, goods: { [kind]: n } }, due });
    }
  }

  gift(way: Way, kind: GoodsKind, n = 1): void {
    this.gifts = { ...this.gifts, [way]: plus(this.gifts[way], kind, n) };
  }

  change(way: Way, kind: GoodsKind, n: number): void {
    this[way] = plus(this[way], kind, n);
  }

  /** Take a card into the offer, or out of it again. */
  card(way: Way, id: CardId, of: Seat | null = null): void {
    if (way === "get" && of !== null && this.to !== ANYONE) {
      if (this.joining && this.to !== null) this.include(of);
      if (this.others.includes(of)) return this.#cardOf(of, id);
      this.#turnTo(of);
    }
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

  /** Add a clause with those it is between. */
  put(clause: Clause): void {
    for (const seat of [giverOf(clause), receiver(clause)]) if (seat !== null) this.include(seat);
    this.add(clause);
  }

  replace(n: number, clause: Clause | null): void {
    this.more = this.more.flatMap((one, at) => (at !== n ? [one] : clause ? [clause] : []));
  }

  /** Let the promise made last hang on a deed; a side that is put off is one too. */
  onlyIf(deed: Deed | null): void {
    const last = this.more.findLast((clause) => clause.kind === "pledge");
    if (last?.kind === "pledge") return this.#swap(last, { ...last, only_if: deed });
    for (const way of ["give", "get"] as const)
      if (this.turns[way] !== null && !this.bare(way)) {
        this.conditions = { ...this.conditions, [way]: deed };
        return;
      }
  }

  get promises(): boolean {
    const later = (way: Way) => this.turns[way] !== null && !this.bare(way);
    return this.more.some((clause) => clause.kind === "pledge") || later("give") || later("get");
  }

  /** Lay what is on a side aside as one lot and begin another: a choice, which can only be promised. */
  or(way: Way, due: number): void {
    if (isNothing(this[way])) return;
    this.lots = { ...this.lots, [way]: [...this.lots[way], this[way]] };
    this[way] = {};
    if (this.turns[way] === null) this.later(way, due);
  }

  /** Take a lot out of the choice again; the last one left is no choice. */
  without(way: Way, n: number): void {
    const rest = this.lots[way].filter((_, at) => at !== n);
    this.lots = { ...this.lots, [way]: rest };
    if (rest.length === 1 && isNothing(this[way])) {
      this[way] = rest[0]!;
      this.lots = { ...this.lots, [way]: [] };
    }
  }

  /** Send what lies on a side to another party: it becomes clauses of its own. */
  redirect(way: Way, to: Seat): void {
    if (this.#me === null || this.to === null) return;
    const [from, usual] = way === "give" ? [this.#me, this.to] : [this.to, this.#me];
    if (to === usual) return;
    const moved = this.#clauses(way, from, to);
    this.#empty(way);
    this.add(...moved);
  }

  #empty(way: Way): void {
    this[way] = {};
    this.gifts = { ...this.gifts, [way]: {} };
    this.cards = { ...this.cards, [way]: [] };
    this.lots = { ...this.lots, [way]: [] };
    this.conditions = { ...this.conditions, [way]: null };
  }

  #swap(before: Clause, after: Clause | null): void {
    this.replace(this.more.indexOf(before), after);
  }

  party(seat: Seat, joins = true): void {
    this.others = joins ? [...new Set([...this.others, seat])] : this.others.filter((one) => one !== seat);
    if (!joins) this.more = this.more.filter((clause) => giverOf(clause) !== seat && receiver(clause) !== seat);
  }

  clear(): void {
    this.to = null;
    this.others = [];
    this.get = {};
    this.give = {};
    this.gifts = { get: {}, give: {} };
    this.cards = { get: [], give: [] };
    this.turns = { get: null, give: null };
    this.lots = { get: [], give: [] };
    this.conditions = { get: null, give: null };
    this.joining = false;
    this.more = [];
    this.answers = null;
    this.settles = [];
  }

  /** Start from somebody's offer, which closes when the answer is sent; one to anyone stays open. */
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
  start(clauses: readonly Clause[], me: Seat, parties: readonly Seat[], answers: string | null = null): void {
    this.clear();
    this.answers = answers;
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

  /** Count a good a party hands over in a clause of its own up or down. */
  #count(from: Seat, kind: GoodsKind, n: number, to: Seat | null = null): void {
    const there = (clause: Clause): clause is Give =>
      clause.kind === "give" && clause.giver === from && !clause.cards?.length && (to === null || clause.to === to);
    const before = this.more.find(there);
    if (before) {
      const goods = plus(before.goods ?? {}, kind, n);
      this.#swap(before, isNothing(goods) ? null : { ...before, goods });
    } else if (n > 0) {
      this.add({ kind: "give", giver: from, to: to ?? this.#emptyHanded(from), goods: { [kind]: n } });
    }
  }

  /** A card of a party besides: into the offer, or out of it again. */
  #cardOf(from: Seat, id: CardId): void {
    const named = (clause: Clause) =>
      (clause.kind === "lend" && clause.card === id) || (clause.kind === "give" && clause.cards?.[0] === id);
    const before = this.more.find(named);
    const to = this.#emptyHanded(from);
    if (before) this.#swap(before, null);
    else if (lends(id)) this.add({ kind: "lend", giver: from, to, card: id });
    else this.add({ kind: "give", giver: from, to, goods: {}, cards: [id] });
  }

  /** Whose draft it is, for clauses with parties besides. */
  #me = $state<Seat | null>(null);
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
    const chosen = this.lots[way].length > 0;
    const given: Give = {
      kind: "give",
      giver,
      to,
      goods: chosen ? {} : goods,
      ...(cards.length ? { cards } : {}),
      ...(due !== null || isNothing(donation) ? {} : { donation }),
    };
    const handed: Handing[] = lent.map((card) => ({ kind: "lend", giver, to, card }));
    if (!isNothing(given.goods) || given.donation || cards.length) handed.unshift(given);
    if (due === null) return handed;
    const only_if = this.conditions[way];
    const pledge = (what: Pledge["what"]): Pledge => ({ kind: "pledge", what, due, ...(only_if ? { only_if } : {}) });
    return [...(chosen ? [pledge(this.#choice(way, giver, to, goods))] : []), ...handed.map(pledge)];
  }

  #choice(way: Way, giver: Seat, to: Seat, last: Goods): OneOf {
    const lots = [...this.lots[way], ...(isNothing(last) ? [] : [last])].map((goods) => ({ goods }));
    return { kind: "one_of", giver, to, lots, chosen_by: this.choosers[way] };
  }

  async send(table: Table, reason = ""): Promise<boolean> {
    const me = table.you;
    if (me === null || this.to === null || this.isEmpty) return false;
    const parties = [me, this.to, ...this.others];
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

/** Goods, and nothing else, a seat promises without a condition. */
function isPromise(clause: Clause, from: Seat): boolean {
  if (clause.kind !== "pledge" || clause.only_if || clause.what.kind !== "give") return false;
  return clause.what.giver === from && !clause.what.cards?.length;
}

/** On which side of an offer to `to` a clause lies; null: it is between others, or not a handing over now. */
function wayOf(clause: Clause, me: Seat, to: Seat | null): Way | null {
  if (clause.kind !== "give" && clause.kind !== "lend") return null;
  if (clause.giver === me && clause.to === to) return "give";
  return clause.giver === to && clause.to === me ? "get" : null;
}

/** A tap on a chip of a player's: what it shows is handed over, and what is not there is promised for the next turn. */
export function pick(draft: Draft, table: Table, player: SeatView, kind: GoodsKind, n: 1 | -1): void {
  const { seat } = player;
  const mine = seat === table.you;
  const turn = table.view?.turn ?? TURNS;
  const promised = draft.promised(draft.to === ANYONE && !mine ? ANYONE : seat, kind);
  const there = draft.asked(!mine && draft.to === ANYONE ? ANYONE : seat, kind);
  const later = draft.turns[mine ? "give" : "get"] !== null; // a side that is put off has no bounds
  if (n < 0) {
    if (promised) draft.promise(seat, kind, turn + 1, -1);
    else if (there && mine) draft.offer(kind, -1);
    else if (there) draft.want(seat, kind, -1);
  } else if (!later && there >= (player.stock[kind] ?? 0)) {
    if (turn < TURNS) draft.promise(seat, kind, turn + 1);
  } else if (mine) draft.offer(kind);
  else draft.want(seat, kind);
}

export const [useDraft, setDraft] = createContext<Draft>();
