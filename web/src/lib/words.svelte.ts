// The words of the page. What is said until trading can begin is in src/words/<language>.json, the rest in
// src/words/later; what happens in the game is told by the server.
import type en from "~/words/en.json";
import { prefs } from "./prefs.svelte";

type Entry = string | { one: string; other: string };
type Words = Record<string, Entry>;
export type Key = keyof typeof en;
export type Values = Record<string, string | number>;

type Files = Record<string, () => Promise<{ default: Words }>>;
const files: Files = import.meta.glob<{ default: Words }>("../words/*.json");
const laterFiles: Files = import.meta.glob<{ default: Words }>("../words/later/*.json");
const pathOf = (language: string, folder = "") => `../words/${folder}${language}.json`;

/** The languages there are. */
export const LANGUAGES = Object.keys(files).map((path) => path.replace(/.*\/|\.json$/g, ""));

let spoken = $state.raw<{ language: string; words: Words }>({ language: "en", words: {} });
let asked = "en";
let wantsMore = false;
let changing: Promise<void> = Promise.resolve();

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

/** Say everything in this language, or in English where there is no such file; one change after the other. */
export function speak(language: string): Promise<void> {
  asked = pathOf(language) in files ? language : "en";
  changing = changing.catch(() => {}).then(() => load(asked));
  return changing;
}

async function load(language: string): Promise<void> {
  const wanted = [files[pathOf(language)]!, ...(wantsMore ? [laterFiles[pathOf(language, "later/")]!] : [])];
  const read = await Promise.all(wanted.map((file) => file()));
  spoken = { language, words: Object.assign({}, ...read.map((one) => one.default)) as Words };
  document.documentElement.lang = language;
}

/** From now on the words of the other screens too. */
export function more(): Promise<void> {
  if (wantsMore) return changing;
  wantsMore = true;
  return speak(asked);
}

/** The words for a key, its {names} filled in; `n` chooses between one and many. */
export function t(key: Key, values: Values = {}): string {
  return fill(key, values);
}

/** The same for any key: one without words stands for itself. */
export function fill(key: string, values: Values = {}): string {
  const entry = spoken.words[key] ?? key;
  const text = typeof entry === "string" ? entry : entry[form(values.n)];
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{${name}}`));
}

function form(n: string | number | undefined): "one" | "other" {
  return new Intl.PluralRules(spoken.language).select(Number(n)) === "one" ? "one" : "other";
}

/** Words for a name that comes from the server, where the page has some; else the name itself. */
export function tr(prefix: string, name: string): string {
  const key = `${prefix}.${name}`;
  return key in spoken.words ? fill(key) : name;
}

/** A number as people write it, with its sign when asked. */
export function number(n: number, signed = false): string {
  return new Intl.NumberFormat(spoken.language, {
    maximumFractionDigits: 2,
    signDisplay: signed ? "exceptZero" : "auto",
  }).format(n);
}
