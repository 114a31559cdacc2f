// Who can be robbed, as the view says it; the server alone decides what a theft may be.
import { card } from "~/lib/catalog.svelte";
import type { Table } from "~/lib/table.svelte";
import type { Seat, SeatView } from "~/wire";

/** Seats with a red arrow on a card in play. */
export function thieves(table: Table): SeatView[] {
  const red = (id: string) =>
    [card(id)?.front, card(id)?.back].some((side) => side?.converters?.some((one) => one.when === "steal"));
  return table.players.filter((player) => Object.keys(player.cards).some(red));
}

export type Safety = "traded" | "robbed" | "promised" | null;

/** Why a seat is safe from a thief; null when it is not. */
export function safety(table: Table, thief: Seat, target: Seat): Safety {
  const view = table.view!;
  if (view.traded.some(([one, other]) => one === thief && other === target)) return "traded";
  if (view.robbed.includes(target)) return "robbed";
  const promised = Object.values(view.obligations).some(
    ({ clause }) =>
      clause.kind === "forbear" &&
      clause.who === thief &&
      clause.what.kind === "steal" &&
      clause.what.target === target,
  );
  return promised ? "promised" : null;
}
