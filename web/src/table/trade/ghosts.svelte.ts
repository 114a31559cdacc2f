// Offers keep their place: new ones join at the end, and one that is gone stays for a while as a line that says why.
import { untrack } from "svelte";
import type { Line, Table } from "~/lib/table.svelte";
import type { Deal, Seat } from "~/wire";

export interface Ghost {
  id: string;
  deal: Deal;
  text: string;
}
export type Lying = { deal: Deal } | { ghost: Ghost };

const STAYS = 30_000; // ms

/** Why an offer is gone, in the server's words; null when I did it myself, or nothing tells. */
export function fate(lines: readonly Line[], deal: string, me: Seat | null): string | null {
  for (const line of lines.slice(-40).reverse()) {
    for (const [n, event] of line.events.entries()) {
      const about = event.kind === "deals_lapsed" ? event.deals.includes(deal) : "deal" in event && event.deal === deal;
      if (!about || event.kind === "deal_offered" || event.kind === "deal_accepted") continue;
      const mine = "by" in event && event.by === me;
      const struck = event.kind === "deal_struck" && me !== null && event.parties.includes(me);
      const told = line.told[n] ?? null;
      const back = event.kind === "deal_withdrawn" || event.kind === "deal_declined";
      return mine || struck ? null : back && told ? withoutTerms(told) : told;
    }
  }
  return null;
}

/** The sentence without what the offer was for, which is drawn beside it; a reason at its end stays. */
const withoutTerms = (told: string) => told.replace(/: .*?\.(?= [“„]|$)/, ".");

export class Offers {
  #order = $state.raw<string[]>([]);
  #ghosts = $state.raw<Record<string, Ghost>>({});
  #seen: Record<string, Deal> = {};

  constructor(
    readonly table: Table,
    readonly live: () => Deal[],
  ) {
    $effect(() => {
      const now = live();
      untrack(() => this.#follow(now));
    });
  }

  /** What lies there, each at the place where it came. */
  get lying(): Lying[] {
    const trading = this.table.view?.step === "trade"; // after it all are gone, and everybody knows why
    const now = new Map(this.live().map((deal) => [deal.id, deal]));
    const old = this.#order.flatMap<Lying>((id) => {
      const deal = now.get(id);
      return deal ? [{ deal }] : trading && this.#ghosts[id] ? [{ ghost: this.#ghosts[id] }] : [];
    });
    const fresh = this.live().filter((deal) => !this.#order.includes(deal.id));
    return [...old, ...fresh.map((deal) => ({ deal }))];
  }

  dismiss(id: string): void {
    const { [id]: _, ...rest } = this.#ghosts;
    this.#ghosts = rest;
  }

  #follow(now: Deal[]): void {
    const here = new Set(now.map((deal) => deal.id));
    for (const [id, deal] of Object.entries(this.#seen)) {
      if (here.has(id)) continue;
      delete this.#seen[id];
      const text = fate(this.table.lines, id, this.table.you);
      if (!text) continue;
      this.#ghosts = { ...this.#ghosts, [id]: { id, deal, text } };
      setTimeout(() => this.dismiss(id), STAYS);
    }
    for (const deal of now) this.#seen[deal.id] = deal;
    const added = now.filter((deal) => !this.#order.includes(deal.id)).map((deal) => deal.id);
    if (added.length) this.#order = [...this.#order, ...added].slice(-200);
  }
}
