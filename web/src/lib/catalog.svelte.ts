// What is printed: cards, species, technologies, and the server's words for goods, steps and climates.
import type { Card, CardId, Converter, Face, Held, Printed, SpeciesFacts, Technology } from "~/wire";
import { get } from "./api";

let printed = $state.raw<Printed | null>(null);

export function lay(what: Printed): void {
  printed = what;
}

export async function load(): Promise<void> {
  lay(await get<Printed>("catalog"));
}

export function isLoaded(): boolean {
  return printed !== null;
}

export function catalog(): Printed {
  if (!printed) throw new Error("the cards are not loaded yet");
  return printed;
}

export function card(id: CardId): Card | undefined {
  return printed?.cards[id];
}

export function species(id: string | null | undefined): SpeciesFacts | undefined {
  return id ? printed?.species[id] : undefined;
}

/** The side of a card that shows. */
export function face(id: CardId, held?: Held): Face | undefined {
  const found = card(id);
  return held?.flipped && found?.back ? found.back : found?.front;
}

export function cardName(id: CardId, held?: Held): string {
  return face(id, held)?.name ?? id;
}

export function technologyName(id: string): string {
  return (printed?.technologies[id] as Technology | undefined)?.name ?? id;
}

let viewer = $state<string | null>(null);

/** Whose eyes the page has: a technology is drawn as this species would hold it. */
export function seenBy(species: string | null): void {
  viewer = species;
}

/** The card by which a species uses a technology; ours, if none is named. */
export function technologyCard(technology: string | null | undefined, of = viewer): Card | undefined {
  if (!technology || !printed) return undefined;
  const all = Object.values(printed.cards).filter((one) => one.technology === technology);
  return all.find((one) => one.species === of) ?? all[0];
}

/** The other half of a pair, where both lie together and this half carries the converter. */
export function mateOf(id: CardId, cards: Record<CardId, Held>): CardId | null {
  const found = card(id);
  return found?.leads && found.mate && cards[found.mate] ? found.mate : null;
}

/** The good in words: "2 green", "1 ship". */
export function goodName(kind: string, n = 1): string {
  const words = printed?.words.goods[kind];
  return words ? (n === 1 ? words.one : words.many) : kind;
}

export function stepName(step: string): string {
  return printed?.words.steps[step] ?? step;
}

export function phaseName(phase: string): string {
  return printed?.words.phases[phase] ?? phase;
}

export function climateName(climate: string): string {
  return printed?.words.climates[climate] ?? climate;
}

/** The converters a held card shows; the leading half of a pair shows what both make together. */
export function converters(id: CardId, cards: Record<CardId, Held>): Converter[] {
  const side = face(id, cards[id]);
  if (!side) return [];
  return [...(side.converters ?? []), ...pair(id, cards)];
}

function pair(id: CardId, cards: Record<CardId, Held>): Converter[] {
  const found = card(id);
  const own = face(id, cards[id])?.half;
  if (!found?.mate || !found.leads || !own || !cards[found.mate]) return [];
  const other = face(found.mate, cards[found.mate])?.half;
  if (!other) return [];
  return [
    { costs: own.cost ? [own.cost] : [{}], gain: sum(own.gain, other.gain), donate: sum(own.donate, other.donate) },
  ];
}

function sum(one: Converter["gain"] = {}, other: Converter["gain"] = {}): NonNullable<Converter["gain"]> {
  const both: Record<string, number> = { ...one };
  for (const [kind, n] of Object.entries(other ?? {})) both[kind] = (both[kind] ?? 0) + (n as number);
  return both;
}
