// Searching the rules: by words, which must all be there, or by the ids of rules.
import type { RuleGroup, RuleText, Term } from "./texts";

export interface Found {
  groups: RuleGroup[];
  terms: [string, Term][];
  count: number;
  /** What to mark in the text. */
  mark: string;
}

const ID = /^[A-Z]+-\d+$/;
const plain = (text: string) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

export function found(groups: RuleGroup[], terms: Record<string, Term>, wanted: string): Found {
  const words = wanted.trim().split(/\s+/).filter(Boolean);
  if (!words.length) return { groups, terms: Object.entries(terms), count: 0, mark: "" };
  const byId = words.every((word) => ID.test(word));
  const says = (text: string) => words.every((word) => plain(text).includes(plain(word)));
  const fits = (group: string, rule: RuleText) =>
    byId
      ? rule.ids.split(" ").some((id) => words.includes(id))
      : says(`${group} ${rule.title} ${rule.text} ${rule.ids}`);
  const kept = groups
    .map(({ group, rules }) => ({ group, rules: rules.filter((rule) => fits(group, rule)) }))
    .filter(({ rules }) => rules.length);
  const signs = byId ? [] : Object.entries(terms).filter(([, term]) => says(`${term.name} ${term.text}`));
  const count = signs.length + kept.reduce((sum, { rules }) => sum + rules.length, 0);
  return { groups: kept, terms: signs, count, mark: byId || words.length > 1 ? "" : words[0]! };
}
