// The ready-made choices the server offers, with their words; every screen shows the ones it is about.
import type { Table } from "~/lib/table.svelte";
import type { Action, Choice } from "~/wire";

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
  return choices(table, CARD_VERBS, refused).filter(
    ({ choice }) => "card" in choice.action && choice.action.card === card,
  );
}

export const CARD_VERBS = ["invent", "upgrade_card", "put_into_play", "run_converter"] as const;

/** What cannot be taken back asks first. */
export const FINAL: readonly Action["kind"][] = [
  "invent",
  "upgrade_card",
  "put_into_play",
  "run_converter",
  "discard_colonies",
  "release",
  "steal",
];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
