import { describe, expect, it } from "vitest";
import { lay } from "~/lib/catalog.svelte";
import type { Table } from "~/lib/table.svelte";
import type { Obligation, Printed, SeatView, SeenLine } from "~/wire";
import { clauseOf, subjects, type Form } from "./clauses";
import { accounts } from "./ledger";
import { printed } from "./market.svelte";
import { answers, heard } from "~/table/shell/news.svelte";
import { deedWords, forbearWords } from "./terms";

const making = (goods: object, gain: object) => ({ front: { name: "", converters: [{ costs: [{ goods }], gain }] } });
lay({
  cards: {
    mill: making({ green: 2 }, { ship: 1 }),
    forge: making({ brown: 3 }, { blue: 1 }),
    team: { front: { name: "Team" }, research: { costs: [], points: 1, technology: "tech" } },
  },
  technologies: { tech: { name: "Tech" } },
  species: { kit: { short: "Kit" }, zeth: { short: "Zeth" } },
} as unknown as Printed);

const blank: Form = {
  kind: "pledge",
  from: 0,
  to: 1,
  goods: {},
  cards: [],
  card: "",
  turn: 4,
  at: "start",
  condition: false,
  doer: 1,
  verb: "run",
  subject: "",
  by: "economy",
  forborne: "no_steal",
  target: 0,
  most: 2,
  text: "",
};
const player = (stock: object, cards: string[]) =>
  ({ seat: 0, stock, cards: Object.fromEntries(cards.map((id) => [id, {}])) }) as unknown as SeatView;

describe("a clause", () => {
  it("is none while something is open", () => {
    expect(clauseOf(blank)).toBeNull();
    expect(clauseOf({ ...blank, goods: { green: 1 }, to: 0 })).toBeNull();
    expect(clauseOf({ ...blank, goods: { green: 1 }, condition: true })).toBeNull();
    expect(clauseOf({ ...blank, kind: "note", text: " " })).toBeNull();
  });

  it("promises goods for a turn, perhaps on a condition", () => {
    const what = { kind: "give", giver: 0, to: 1, goods: { green: 1 } };
    expect(clauseOf({ ...blank, goods: { green: 1 } })).toEqual({ kind: "pledge", what, due: 4, at: "start" });
    const deed = { who: 1, verb: "run", subject: "mill" };
    expect(clauseOf({ ...blank, goods: { green: 1 }, condition: true, subject: "mill" })).toMatchObject({
      only_if: deed,
    });
  });

  it("asks to do and to forbear", () => {
    expect(clauseOf({ ...blank, kind: "undertake", subject: "mill" })).toEqual({
      kind: "undertake",
      to: 1,
      deed: { who: 0, verb: "run", subject: "mill" },
      turn: 4,
      by: "economy",
    });
    expect(clauseOf({ ...blank, kind: "forbear" })).toMatchObject({ what: { kind: "steal", target: 0 }, until: 4 });
    expect(clauseOf({ ...blank, kind: "forbear", forborne: "no_bid_colony" })).toMatchObject({
      what: { kind: "bid", track: "colony", most: 2 },
    });
  });

  it("names what is invented by its technology", () => {
    const table = { players: [player({}, ["team"])], view: { research_track: [null] } } as unknown as Table;
    expect(subjects(table, "invent", 0)).toEqual([{ id: "tech", name: "Tech" }]);
  });
});

describe("what is printed", () => {
  it("tells what a seat needs, can spare and leaves idle", () => {
    expect(printed(player({ green: 3, brown: 1, white: 2 }, ["mill", "forge"]))).toEqual({
      seat: 0,
      needs: { brown: 2 },
      spare: { green: 1, white: 2 },
      idle: ["forge"],
    });
  });
});

describe("the ledger", () => {
  it("tells what I owe, what is owed to me and what lies between others", () => {
    const owed = (id: string, giver: number, to: number, due: number) =>
      ({
        id,
        parties: [giver, to],
        clause: { kind: "pledge", what: { kind: "give", giver, to }, due },
      }) as unknown as Obligation;
    const obligations = { a: owed("a", 1, 0, 5), b: owed("b", 0, 2, 4), c: owed("c", 1, 2, 3), d: owed("d", 2, 0, 3) };
    const books = accounts({ you: 0, view: { obligations } } as unknown as Table);
    expect(books.map((one) => [one.name, one.owed.map(({ id }) => id)])).toEqual([
      ["i_owe", ["b"]],
      ["owed_to_me", ["d", "a"]],
      ["others", ["c"]],
    ]);
  });
});

describe("the short words of a clause", () => {
  it("say you to the one who reads them, and the species to the others", () => {
    const players = [{ species: "kit" }, { species: "zeth" }];
    const read = (you: number) => ({ you, view: { players }, face: () => null }) as unknown as Table;
    const deed = { who: 0, verb: "run", subject: "mill" } as const;
    expect(deedWords(read(0), deed)).toMatch(/^you run/);
    expect(deedWords(read(1), deed)).toMatch(/ runs/);
    const theft = { kind: "forbear", who: 1, to: 0, what: { kind: "steal", target: 0 }, until: 3 } as const;
    expect(forbearWords(read(0), theft)).toMatch(/ does not steal from you$/);
    expect(forbearWords(read(1), theft)).toMatch(/^you do not steal from (?!you)/);
    const bid = { ...theft, what: { kind: "bid", track: "colony", most: 0 } } as const;
    expect(forbearWords(read(1), bid)).toBe("you bid at most 0 for colonies");
    expect(forbearWords(read(0), bid)).toMatch(/ bids at most 0 for colonies$/);
  });
});

describe("answers to my offers", () => {
  it("are told once, and only when somebody else answered", () => {
    const line = (n: number, event: object): SeenLine =>
      ({ n, at: 0, seat: 1, events: [event], told: [`line ${n}`] }) as unknown as SeenLine;
    const lines = [
      line(1, { kind: "deal_declined", by: 1, deal: "mine" }),
      line(2, { kind: "deal_declined", by: 1, deal: "mine" }),
      line(3, { kind: "deal_declined", by: 1, deal: "other" }),
      line(4, { kind: "deal_struck", by: 0, deal: "x", parties: [0, 1] }),
      line(5, { kind: "deal_struck", by: 2, deal: "x", parties: [0, 2] }),
    ];
    expect(answers({ lines }, 0, new Set(["mine"]), 1)).toEqual([
      { text: "line 2", good: false },
      { text: "line 5", good: true },
    ]);
  });
});

describe("what is said", () => {
  it("is heard when others say it, after what was read", () => {
    const line = (n: number, seat: number) =>
      ({
        n,
        events: [
          { kind: "said", seat, text: `${n}` },
          { kind: "done_said", by: seat },
        ],
      }) as unknown as SeenLine;
    expect(heard([line(1, 1), line(2, 0), line(3, 1)], 0, 1).map(({ text }) => text)).toEqual(["3"]);
    expect(heard([line(1, 1), line(2, 0)], null, 0)).toHaveLength(2);
  });
});
