import { afterEach, describe, expect, it } from "vitest";
import en from "~/words/en.json";
import later from "~/words/later/en.json";
import { t as said } from "./later";
import { LANGUAGES, number, speak, t } from "./words.svelte";

type Words = Record<string, unknown>;
const files = import.meta.glob<{ default: Words }>("../words/*.json", { eager: true });
const laterFiles = import.meta.glob<{ default: Words }>("../words/later/*.json", { eager: true });
const ALL: [string, Words, Words][] = [
  ...Object.entries(files).map(([path, { default: words }]): [string, Words, Words] => [path, words, en]),
  ...Object.entries(laterFiles).map(([path, { default: words }]): [string, Words, Words] => [path, words, later]),
];
const names = (entry: unknown) => [...new Set(JSON.stringify(entry).match(/\{\w+\}/g) ?? [])].sort();

describe("words", () => {
  afterEach(() => speak("en"));

  it("are there in English and German at least", () => {
    expect(LANGUAGES).toEqual(expect.arrayContaining(["en", "de"]));
  });

  for (const [path, words, english] of ALL) {
    it(`say the same things in ${path}`, () => {
      expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort());
      for (const [key, entry] of Object.entries(english)) expect(names(words[key]), key).toEqual(names(entry));
    });
  }

  it("are either there at once or come later", () => {
    expect(Object.keys(en).filter((key) => key in later)).toEqual([]);
  });

  it("fill in names and choose between one and many", async () => {
    expect(t("head.turn", { n: 3, of: 6 })).toBe("Turn 3 of 6");
    expect(said("table.watching", { n: 1 })).toBe("1 watching");
    await speak("de");
    expect(t("head.turn", { n: 3, of: 6 })).toBe("Runde 3 von 6");
    expect(said("scoring.title")).toBe("Das Ergebnis");
    expect(number(2.5, true)).toBe("+2,5");
  });

  it("are English in a language there is no file for", async () => {
    await speak("xx");
    expect(t("head.turn", { n: 1, of: 6 })).toBe("Turn 1 of 6");
  });
});
