// What everybody needs, can spare and leaves idle: by their best plans where the table tells, else as printed.
import { needsBasis } from "~/lib/asking";
import { converters } from "~/lib/catalog.svelte";
import { items, plus, TRADABLE, type Goods } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import type { Cost, Seat, SeatView, SeatNeeds } from "~/wire";

const SETTLE = 500;

/** One seat by what is printed: its converters take what they need in order, the rest is spare. */
export function printed(player: SeatView): SeatNeeds {
  let left: Goods = player.stock;
  const idle: string[] = [];
  const short: Goods[] = [];
  for (const id of Object.keys(player.cards)) {
    for (const converter of converters(id, player.cards)) {
      const cost = converter.costs?.[0]?.goods;
      if ((converter.when ?? "economy") !== "economy" || !cost || !items(cost).length) continue;
      const lack = missing(cost, left);
      if (!items(lack).length) left = items(cost).reduce((rest, [kind, n]) => plus(rest, kind, -n), left);
      else {
        idle.push(id);
        short.push(lack);
      }
    }
  }
  const near = short
    .filter((lack) => count(lack) <= 4)
    .sort((one, other) => count(one) - count(other))
    .slice(0, 3);
  const needs = near.reduce<Goods>(
    (sum, lack) => items(lack).reduce((all, [kind, n]) => ({ ...all, [kind]: Math.max(n, all[kind] ?? 0) }), sum),
    {},
  );
  return { seat: player.seat, needs, spare: only(left, needs), idle: [...new Set(idle)] };
}

function missing(cost: NonNullable<Cost["goods"]>, have: Goods): Goods {
  return Object.fromEntries(
    items(cost).flatMap(([kind, n]) => (n > (have[kind] ?? 0) ? [[kind, n - (have[kind] ?? 0)]] : [])),
  );
}

const count = (goods: Goods) => items(goods).reduce((sum, [, n]) => sum + n, 0);
const only = (left: Goods, needs: Goods): Goods =>
  Object.fromEntries(items(left).filter(([kind]) => TRADABLE.includes(kind) && !needs[kind]));

/** The needs and spares of a table; asked anew when goods or cards have moved. */
export class Market {
  told = $state.raw<ReadonlyMap<Seat, SeatNeeds>>(new Map());
  #asked: unknown = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: Table) {}

  of(seat: Seat): SeatNeeds {
    const player = this.table.players[seat];
    const found = this.told.get(seat) ?? (player ? printed(player) : { seat, needs: {}, spare: {}, idle: [] });
    const face = this.table.face(seat); // what somebody shows comes before what is reckoned
    const shown = face && (items(face.wants).length || items(face.haves).length);
    return shown ? { ...found, needs: face.wants, spare: face.haves } : found;
  }

  get all(): SeatNeeds[] {
    return this.table.players.map((player) => this.of(player.seat));
  }

  /** Ask soon, once for every state of the players. */
  refresh(): void {
    const { table } = this;
    if (!table.view || table.you === null || table.link !== "open") return;
    const basis = needsBasis(table.view, table.you, table.table?.options.help ?? "own");
    if (basis === undefined) return;
    if (this.#asked === basis) return;
    this.#asked = basis;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const found = await table.needs();
      if (found && this.#asked === basis) this.told = new Map(found.map((one) => [one.seat, one]));
    }, SETTLE);
  }
}

const markets = new WeakMap<Table, Market>();

/** The market of a table, kept fresh as long as the component that asks for it is shown. */
export function useMarket(table: Table): Market {
  const found = markets.get(table) ?? new Market(table);
  markets.set(table, found);
  $effect(() => found.refresh());
  return found;
}
