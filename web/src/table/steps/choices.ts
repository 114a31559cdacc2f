// The ready-made choices the server offers, with their words; every screen shows the ones it is about.
import type { Table } from "~/lib/table.svelte";
import type { Action, Ask, Choice } from "~/wire";

export interface Said {
  choice: Choice;
  text: string;
  why: string | null;
}

export function choices(table: Table, kinds: readonly Action["kind"][] | null = null, refused = false): Said[] {
  const said = (table.options?.choices ?? []).map((choice, n) => ({
    choice,
    text: capital(table.told[n] ?? choice.action.kind),
    why: table.why[n] ?? (choice.refused ? choice.refused.code : null),
  }));
  return said.filter(({ choice }) => (refused || !choice.refused) && (!kinds || kinds.includes(choice.action.kind)));
}

/** The choices about one card. */
export function about(table: Table, card: string, refused = true): Said[] {
  return choices(table, VIOLET, refused).filter(({ choice }) => "card" in choice.action && choice.action.card === card);
}

export type Violet = NonNullable<Ask["action"]>;

/** What a violet arrow stands for, done with a card in the Trade Phase; each can be asked what it costs. */
export const VIOLET: readonly Violet["kind"][] = ["put_into_play", "invent", "upgrade_card", "run_converter"];

export function isViolet(action: Action): action is Violet {
  return (VIOLET as readonly string[]).includes(action.kind);
}

/** What cannot be taken back asks first. */
export const FINAL: readonly Action["kind"][] = [...VIOLET, "discard_colonies", "release", "steal"];

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
