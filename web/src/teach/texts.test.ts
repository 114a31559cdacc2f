import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { found } from "./search";
import { read, type RuleGroup, type SpeciesText, type Term } from "./texts";

const load = <Shape>(kind: string) =>
  Object.entries(import.meta.glob<{ default: unknown }>("./*/*.json", { eager: true }))
    .filter(([path]) => path.startsWith(`./${kind}/`))
    .map(([path, { default: text }]) => [path, text as Shape] as const);

const ids = (groups: RuleGroup[]) => groups.flatMap(({ rules }) => rules.flatMap((rule) => rule.ids.split(" ")));
/** The rules of the common game, the editions and the species in the rulebook; its cases are not on the page. */
const catalogued = () => {
  const [law] = readFileSync("../docs/rulebook.md", "utf8").split("\n## Cases\n");
  return [...law!.matchAll(/^(?:- |\| )\*\*([A-Z]+-\d+)\*\*/gm)].map((found) => found[1]!);
};

describe("the texts", () => {
  it("have every rule of the common game, the editions and the species exactly once", () => {
    for (const [path, groups] of load<RuleGroup[]>("rules"))
      expect(ids(groups).sort(), path).toEqual(catalogued().sort());
  });

  it("group the rules alike in every language", () => {
    const [first, ...others] = load<RuleGroup[]>("rules").map(([, groups]) =>
      groups.map(({ rules }) => rules.map((rule) => rule.ids)),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  it("explain the same signs in every language, by rules that exist", () => {
    const known = new Set(catalogued());
    const [first, ...others] = load<Record<string, Term>>("terms");
    for (const [path, terms] of others) expect(Object.keys(terms).sort(), path).toEqual(Object.keys(first![1]).sort());
    for (const term of Object.values(first![1]))
      for (const id of term.rules?.split(" ") ?? []) expect(known, id).toContain(id);
  });

  it("explain every good, arrow and climate that is drawn", () => {
    const drawn = readFileSync("src/art/sprite.svg", "utf8")
      .match(/symbol id="[gac]-\w+/g)!
      .map((found) => found.slice(11));
    for (const [path, terms] of load<Record<string, Term>>("terms"))
      for (const sign of drawn) expect(terms, path).toHaveProperty(sign);
  });

  it("have a sheet with three tips for each species", () => {
    for (const [path, sheets] of load<Record<string, SpeciesText>>("species")) {
      expect(Object.keys(sheets).sort(), path).toEqual([
        "caylion",
        "eni_et",
        "faderan",
        "imdril",
        "kit",
        "kjas",
        "unity",
        "yengii",
        "zeth",
      ]);
      for (const sheet of Object.values(sheets)) expect(sheet.tips).toHaveLength(3);
    }
  });

  it("are English where a language has none", async () => {
    expect(await read("species", "xx")).toEqual(await read("species", "en"));
  });
});

describe("searching", () => {
  it("finds rules by all words, whatever their accents, and by id", async () => {
    const groups = await read("rules", "de");
    const terms = await read("terms", "de");
    expect(found(groups, terms, "uberzahlige kolonien").groups[0]?.rules[0]?.ids).toBe("PHASE-2");
    expect(ids(found(groups, terms, "DON-6 DON-1").groups)).toEqual(expect.arrayContaining(["DON-1", "DON-6"]));
    expect(found(groups, terms, "kein solches Wort")).toMatchObject({ groups: [], terms: [], count: 0 });
  });
});
