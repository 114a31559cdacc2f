import { afterEach, describe, expect, it } from "vitest";
import en from "~/words/en.json";
import { LANGUAGES, number, speak, t } from "./words.svelte";

const files = import.meta.glob<{ default: Record<string, unknown> }>("../words/*.json", { eager: true });
const names = (entry: unknown) => [...new Set(JSON.stringify(entry).match(/\{\w+\}/g) ?? [])].sort();

describe("words", () => {
  afterEach(() => speak("en"));

  it("are there in English and German at least", () => {
    expect(LANGUAGES).toEqual(expect.arrayContaining(["en", "de"]));
  });

  for (const [path, { default: words }] of Object.entries(files)) {
    it(`say the same things in ${path}`, () => {
      expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
      for (const [key, entry] of Object.entries(en)) expect(names(words[key]), key).toEqual(names(entry));
    });
  }

  it("fill in names and choose between one and many", async () => {
    expect(t("head.turn", { n: 3, of: 6 })).toBe("Turn 3 of 6");
    expect(t("table.watching", { n: 1 })).toBe("1 watching");
    await speak("de");
    expect(t("head.turn", { n: 3, of: 6 })).toBe("Runde 3 von 6");
    expect(number(2.5, true)).toBe("+2,5");
  });

  it("are English in a language there is no file for", async () => {
    await speak("xx");
    expect(t("head.turn", { n: 1, of: 6 })).toBe("Turn 1 of 6");
  });
});
