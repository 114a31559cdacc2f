// What somebody asked to have explained: a species, or the rules, perhaps with a search begun.

export type Help = { about: "species"; species: string } | { about: "rules"; search: string };

let asked = $state.raw<Help | null>(null);

export function helpAsked(): Help | null {
  return asked;
}

export function aboutSpecies(species: string): void {
  asked = { about: "species", species };
}

/** The rules; with the ids of some, or words, to begin with. */
export function aboutRules(search = ""): void {
  asked = { about: "rules", search };
}

export function closeHelp(): void {
  asked = null;
}
