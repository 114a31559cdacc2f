// The offer being put together: whom it is for, what I get, what I give; other clauses besides.
import { createContext } from "svelte";
import { isNothing, plus, short, type Goods, type GoodsKind } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import { ANYONE, type Clause, type Deal, type Seat } from "~/wire";

export class Draft {
  to = $state<Seat | null>(null);
  get = $state.raw<Goods>({});
  give = $state.raw<Goods>({});
  /** Clauses beyond goods now: loans, pledges, licences, forbearances, notes. */
  more = $state.raw<Clause[]>([]);
  answers = $state<string | null>(null);
  /** Somebody asked for the composer to be shown (the phone opens its sheet). */
  open = $state(false);

  get isEmpty(): boolean {
    return isNothing(this.get) && isNothing(this.give) && !this.more.length;
  }

  get typed(): string {
    return this.isEmpty ? "" : `${short(this.give)} > ${short(this.get)}`.trim();
  }

  want(seat: Seat, kind: GoodsKind, n = 1): void {
    if (this.to !== seat && this.to !== null && this.to !== ANYONE) this.get = {};
    this.to = seat;
    this.get = plus(this.get, kind, n);
  }

  offer(kind: GoodsKind, n = 1): void {
    this.give = plus(this.give, kind, n);
  }

  clear(): void {
    this.to = null;
    this.get = {};
    this.give = {};
    this.more = [];
    this.answers = null;
  }

  /** Start from somebody's offer; the original stays open. */
  counter(deal: Deal, me: Seat): void {
    this.clear();
    this.to = deal.proposer;
    this.answers = deal.id;
    for (const clause of deal.clauses) {
      if (clause.kind === "give" && clause.giver === me && !clause.cards?.length) this.give = clause.goods ?? {};
      else if (clause.kind === "give" && !clause.cards?.length && !clause.donation) this.get = clause.goods ?? {};
      else this.more = [...this.more, clause];
    }
    this.open = true;
  }

  clauses(me: Seat): Clause[] {
    const to = this.to ?? ANYONE;
    const made: Clause[] = [];
    if (!isNothing(this.give)) made.push({ kind: "give", giver: me, to, goods: this.give });
    if (!isNothing(this.get)) made.push({ kind: "give", giver: to, to: me, goods: this.get });
    return [...made, ...this.more];
  }

  async send(table: Table): Promise<boolean> {
    const me = table.you;
    if (me === null || this.isEmpty) return false;
    const parties = [me, this.to ?? ANYONE];
    const sent = await table.do({ kind: "propose_deal", parties, clauses: this.clauses(me), answers: this.answers }, "offer");
    if (sent) {
      this.clear();
      this.open = false;
    }
    return sent;
  }
}

export const [useDraft, setDraft] = createContext<Draft>();
