// Clauses in words: sentences of the server put together, and short lines that speak to the seat that reads them.
import { card, cardName, goodName, technologyName } from "~/lib/catalog.svelte";
import type { GoodsKind } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import { t } from "~/lib/words.svelte";
import type { Deed, Forbear, OneOf } from "~/wire";
import { speciesName } from "~/table/players/names";

export function sentences(said: readonly string[], between = " "): string {
  return said.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}.`).join(between);
}

/** A deed is about a card, or about a technology that is invented. */
export function deedWords(table: Table, { who, verb, subject, least = 0 }: Deed): string {
  const you = who === table.you ? "you_" : "";
  const name = speciesName(table, who);
  if (verb === "bid") return t(`deed.${you}bid_${subject === "colony" ? "colony" : "research"}`, { name, n: least });
  return t(`deed.${you}${verb}`, { name, card: card(subject) ? cardName(subject) : technologyName(subject) });
}

/** The lots of a promise of a choice, and who chooses. */
export function choiceWords(table: Table, what: OneOf): string {
  const chooser = what.chosen_by === "debtor" ? what.giver : what.to;
  const lots = what.lots.map(({ goods, cubes = 0, kinds = [] }) => {
    const named = Object.entries(goods ?? {}).map(([kind, n]) => `${n} ${goodName(kind as GoodsKind, n)}`);
    return [
      ...named,
      ...(cubes ? [`${cubes} ${kinds.map((kind) => goodName(kind as GoodsKind)).join("/")}`] : []),
    ].join(", ");
  });
  const said = lots.join(t("choice.or"));
  return chooser === table.you
    ? t("choice.you", { lots: said })
    : t("choice.of", { lots: said, name: speciesName(table, chooser) });
}

/** What somebody promises to leave alone. */
export function forbearWords(table: Table, { who, what }: Forbear): string {
  const name = speciesName(table, who);
  const you = who === table.you ? "you_" : "";
  if (what.kind === "take") return t(`forbear.${you}take`, { name, card: cardName(what.card) });
  if (what.kind === "bid") return t(`forbear.${you}bid_${what.track}`, { name, n: what.most });
  if (what.kind === "trade") return t(`forbear.${you}trade`, { name, target: speciesName(table, what.partner) });
  if (what.kind === "invent")
    return t(`forbear.${you}invent`, {
      name,
      card: card(what.subject) ? cardName(what.subject) : technologyName(what.subject),
    });
  if (what.kind === "hand" || what.kind === "license") {
    const named = what.kind === "hand" ? cardName(what.card) : technologyName(what.technology);
    return what.but == null
      ? t(`forbear.${you}${what.kind}`, { name, card: named })
      : t(`forbear.${you}${what.kind}_but`, { name, card: named, target: speciesName(table, what.but) });
  }
  return what.target === table.you
    ? t("forbear.steal_you", { name })
    : t(`forbear.${you}steal`, { name, target: speciesName(table, what.target) });
}
