// How seats are called on the page: the species, and the person or bot behind it.
import { species } from "~/lib/catalog.svelte";
import type { Table } from "~/lib/table.svelte";
import { t, tr } from "~/lib/words.svelte";
import { ANYONE, type Seat } from "~/wire";

export function seatName(table: Table, seat: Seat): string {
  if (seat === ANYONE) return t("seat.anyone");
  if (seat === table.you) return t("seat.you");
  return speciesName(table, seat);
}

export function speciesName(table: Table, seat: Seat): string {
  if (seat === ANYONE) return t("seat.anyone");
  const id = table.view?.players[seat]?.species ?? table.face(seat)?.species;
  return species(id)?.short ?? table.face(seat)?.name ?? String(seat + 1);
}

/** Who sits there: a name, a bot's level, or nobody. */
export function holder(table: Table, seat: Seat): string {
  const face = table.face(seat);
  if (!face) return "";
  if (face.name && face.covered) return t("seat.covered", { name: face.name });
  if (face.name) return typeof face.program === "string" ? t("seat.program", { name: face.name }) : face.name;
  return face.bot ? t("seat.bot", { level: tr("level", face.bot) }) : t("seat.free");
}

export function presence(table: Table, seat: Seat): "here" | "away" | "bot" | null {
  const face = table.face(seat);
  if (!face || (!face.name && !face.bot)) return null;
  if (face.bot || face.covered || typeof face.program === "string") return "bot";
  return table.isHere(seat) ? "here" : "away";
}

/** The seats whose people have a say in what the table agrees on: neither programs nor who is covered. */
export function voters(table: Table): Seat[] {
  const faces = table.table?.seats ?? [];
  return faces
    .filter((face) => face.name && !face.covered && typeof face.program !== "string")
    .map((face) => face.seat);
}
