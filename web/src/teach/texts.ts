// Long texts, one file per kind and language, loaded when somebody wants to read them.

/** A species in our own words. */
export interface SpeciesText {
  special: string;
  needs: string;
  gives: string;
  tips: string[];
}

/** A sign or a word of the game: its name, what it means, the rules that say so. */
export interface Term {
  name: string;
  text: string;
  rules?: string;
}

/** Rules that belong together: their ids, a title, the short text. Made from docs/rulebook.md by tools/rulebook.py. */
export interface RuleText {
  ids: string;
  title: string;
  text: string;
}

export interface RuleGroup {
  group: string;
  rules: RuleText[];
}

interface Texts {
  species: Record<string, SpeciesText>;
  terms: Record<string, Term>;
  rules: RuleGroup[];
}

const files = import.meta.glob<{ default: unknown }>("./*/*.json");

/** The texts of a kind in a language, or in English where there are none. */
export async function read<Kind extends keyof Texts>(kind: Kind, language: string): Promise<Texts[Kind]> {
  const file = files[`./${kind}/${language}.json`] ?? files[`./${kind}/en.json`]!;
  return (await file()).default as Texts[Kind];
}
