// The words of the page. One file per language in src/words; what happens in the game is told by the server.
import en from "~/words/en.json";
import { prefs } from "./prefs.svelte";

type Entry = string | { one: string; other: string };
type Words = Record<string, Entry>;
export type Key = keyof typeof en;
export type Values = Record<string, string | number>;

const files = import.meta.glob<{ default: Words }>(["../words/*.json", "!../words/en.json"]);
const pathOf = (language: string) => `../words/${language}.json`;

/** The languages there are, English first. */
export const LANGUAGES = ["en", ...Object.keys(files).map((path) => path.replace(/.*\/|\.json$/g, ""))];

const english = { language: "en", words: en as Words };
let spoken = $state.raw(english);

/** The language chosen, or the first of the browser's that there is. */
export function wanted(): string {
  const asked = [prefs.language, ...(globalThis.navigator?.languages ?? [])];
  for (const one of asked) {
    const language = one?.split("-")[0]?.toLowerCase();
    if (language && LANGUAGES.includes(language)) return language;
  }
  return "en";
}

export function language(): string {
  return spoken.language;
}

export async function speak(language: string): Promise<void> {
  const file = files[pathOf(language)];
  spoken = { language: file ? language : "en", words: file ? (await file()).default : (en as Words) };
  document.documentElement.lang = spoken.language;
}

/** The words for a key, its {names} filled in; `n` chooses between one and many. */
export function t(key: Key, values: Values = {}): string {
  const entry = spoken.words[key] ?? (en as Words)[key] ?? key;
  const text = typeof entry === "string" ? entry : entry[form(values.n)];
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{${name}}`));
}

function form(n: string | number | undefined): "one" | "other" {
  return new Intl.PluralRules(spoken.language).select(Number(n)) === "one" ? "one" : "other";
}

/** Words for a name that comes from the server, where the page has some; else the name itself. */
export function tr(prefix: string, name: string): string {
  const key = `${prefix}.${name}` as Key;
  return key in en ? t(key) : name;
}

/** A number as people write it, with its sign when asked. */
export function number(n: number, signed = false): string {
  return new Intl.NumberFormat(spoken.language, {
    maximumFractionDigits: 2,
    signDisplay: signed ? "exceptZero" : "auto",
  }).format(n);
}
