// Clauses in words: sentences of the server put together, and short lines that speak to the seat that reads them.
import { card, cardName, technologyName } from "~/lib/catalog.svelte";
import type { Table } from "~/lib/table.svelte";
import { t } from "~/lib/words.svelte";
import type { Deed, Forbear } from "~/wire";
import { speciesName } from "~/table/players/names";

export function sentences(said: readonly string[], between = " "): string {
  return said.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}.`).join(between);
}

/** A deed is about a card, or about a technology that is invented. */
export function deedWords(table: Table, { who, verb, subject }: Deed): string {
  return t(`deed.${who === table.you ? "you_" : ""}${verb}`, {
    name: speciesName(table, who),
    card: card(subject) ? cardName(subject) : technologyName(subject),
  });
}

/** What somebody promises to leave alone. */
export function forbearWords(table: Table, { who, what }: Forbear): string {
  const name = speciesName(table, who);
  const you = who === table.you ? "you_" : "";
  if (what.kind === "take") return t(`forbear.${you}take`, { name, card: cardName(what.card) });
  if (what.kind === "bid") return t(`forbear.${you}bid_${what.track}`, { name, n: what.most });
  return what.target === table.you
    ? t("forbear.steal_you", { name })
    : t(`forbear.${you}steal`, { name, target: speciesName(table, what.target) });
}
