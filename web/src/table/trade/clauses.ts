// Clauses put together piece by piece: what there is to choose from; whether it may stand is the server's to say.
import { card, catalog, cardName, converters, technologyName } from "~/lib/catalog.svelte";
import { isNothing, type Goods } from "~/lib/goods";
import type { Table } from "~/lib/table.svelte";
import type { Clause, Deed, Handing, Seat } from "~/wire";
import { lends, tradableCards } from "./deals";

export const KINDS = ["give", "pledge", "pledge_lend", "license", "undertake", "forbear", "note"] as const;
export type Kind = (typeof KINDS)[number];
export type Verb = Deed["verb"];
export const VERBS = ["run", "invent", "upgrade", "buy"] as const satisfies readonly Verb[];
export const FORBORNE = ["no_steal", "no_take", "no_bid_colony", "no_bid_research"] as const;
export type Forborne = (typeof FORBORNE)[number];
export const PHASES = ["trade", "economy", "confluence"] as const;

/** What the form holds; only what its kind needs is read. */
export interface Form {
  kind: Kind;
  from: Seat;
  to: Seat;
  goods: Goods;
  cards: string[];
  card: string;
  turn: number;
  at: "start" | "close";
  condition: boolean;
  doer: Seat;
  verb: Verb;
  subject: string;
  by: (typeof PHASES)[number];
  forborne: Forborne;
  target: Seat;
  most: number;
  text: string;
}

export interface Named {
  id: string;
  name: string;
}

const named = (ids: readonly (string | null)[]): Named[] =>
  ids.flatMap((id) => (id ? [{ id, name: cardName(id) }] : []));

/** The cards on the two tracks. */
export function onTracks(table: Table): Named[] {
  return named([...(table.view?.colony_track ?? []), ...(table.view?.research_track ?? [])]);
}

/** What a seat could be asked to do. */
export function subjects(table: Table, verb: Verb, who: Seat): Named[] {
  const cards = table.players[who]?.cards ?? {};
  if (verb === "buy") return onTracks(table);
  if (verb === "run") return named(Object.keys(cards).filter((id) => converters(id, cards).length));
  if (verb === "upgrade")
    return named(Object.keys(cards).filter((id) => card(id)?.upgrades?.length && !cards[id]?.flipped));
  const teams = [...Object.keys(cards), ...(table.view?.research_track ?? [])].flatMap((id) =>
    id && card(id)?.research ? [card(id)!] : [],
  );
  return teams.map((team) => ({
    id: team.research!.technology ?? team.id,
    name: team.research!.technology ? technologyName(team.research!.technology) : cardName(team.id),
  }));
}

/** Technologies of which a seat has a card in play. */
export function technologies(table: Table, who: Seat): Named[] {
  const held = Object.keys(table.players[who]?.cards ?? {}).flatMap((id) => card(id)?.technology ?? []);
  const invented = (table.players[who]?.invented ?? []).flatMap((id) => card(id)?.research?.technology ?? []);
  return [...new Set([...held, ...invented])]
    .filter((id) => id in catalog().technologies)
    .map((id) => ({ id, name: technologyName(id) }));
}

export function lendable(table: Table, who: Seat): Named[] {
  const player = table.players[who];
  return player ? named(tradableCards(player).filter(lends)) : [];
}

export function givable(table: Table, who: Seat): Named[] {
  const player = table.players[who];
  return player ? named(tradableCards(player).filter((id) => !lends(id))) : [];
}

/** The clause the form describes; null while something is still open. */
export function clauseOf(form: Form): Clause | null {
  const { from, to } = form;
  const given: Handing = {
    kind: "give",
    giver: from,
    to,
    goods: form.goods,
    ...(form.cards.length ? { cards: form.cards } : {}),
  };
  const something = !isNothing(form.goods) || form.cards.length > 0;
  const deed: Deed | null = form.subject ? { who: form.doer, verb: form.verb, subject: form.subject } : null;
  const pledge = (what: Handing): Clause | null =>
    form.condition && !deed
      ? null
      : { kind: "pledge", what, due: form.turn, at: form.at, ...(form.condition ? { only_if: deed } : {}) };
  if (form.kind !== "note" && from === to) return null;
  switch (form.kind) {
    case "give":
      return something ? given : null;
    case "pledge":
      return something ? pledge(given) : null;
    case "pledge_lend":
      return form.card ? pledge({ kind: "lend", giver: from, to, card: form.card }) : null;
    case "license":
      return form.card ? { kind: "license", giver: from, to, technology: form.card } : null;
    case "undertake":
      return deed ? { kind: "undertake", to, deed: { ...deed, who: from }, turn: form.turn, by: form.by } : null;
    case "note":
      return form.text.trim() ? { kind: "note", text: form.text.trim() } : null;
    case "forbear":
      return forbearance(form);
  }
}

function forbearance(form: Form): Clause | null {
  const clause = { kind: "forbear" as const, who: form.from, to: form.to, until: form.turn };
  if (form.forborne === "no_steal") return { ...clause, what: { kind: "steal", target: form.target } };
  if (form.forborne === "no_take") return form.card ? { ...clause, what: { kind: "take", card: form.card } } : null;
  return {
    ...clause,
    what: { kind: "bid", track: form.forborne === "no_bid_colony" ? "colony" : "research", most: form.most },
  };
}
