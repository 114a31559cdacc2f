import { describe, expect, it } from "vitest";
import { lay } from "~/lib/catalog.svelte";
import type { Table } from "~/lib/table.svelte";
import { ANYONE, type Clause, type Obligation, type Printed, type SeatView, type SeenLine } from "~/wire";
import { LARGE, said, SMALL, type Line, type Subject } from "./clauses";
import { accounts } from "./ledger";
import { printed } from "./market.svelte";
import { heard, refusals, spared } from "~/table/shell/news.svelte";
import { deedWords, forbearWords } from "./terms";

const making = (goods: object, gain: object) => ({ front: { name: "", converters: [{ costs: [{ goods }], gain }] } });
lay({
  cards: {
    mill: making({ green: 2 }, { ship: 1 }),
    forge: making({ brown: 3 }, { blue: 1 }),
    team: {
      id: "team",
      kind: "research",
      front: { name: "Team" },
      research: { costs: [], points: 1, technology: "tech" },
    },
    works: {
      id: "works",
      kind: "starting",
      species: "kit",
      ...making({ green: 1 }, { white: 1 }),
      upgrades: [{ cost: { goods: { blue: 1 } } }],
    },
    thief: { id: "thief", kind: "starting", species: "zeth", front: { name: "", converters: [{ when: "steal" }] } },
    spica: { id: "spica", kind: "colony", front: { name: "Spica" } },
    fleet: {
      id: "fleet",
      kind: "fleet",
      species: "kit",
      front: { name: "Fleet" },
      entry: { cost: { goods: { blue: 1 } } },
    },
    "kit.tech": { id: "kit.tech", kind: "technology", species: "kit", technology: "tech", front: { name: "Kit's" } },
    "yen.tech": { id: "yen.tech", kind: "technology", species: "yen", technology: "tech", front: { name: "Yen's" } },
  },
  technologies: { tech: { name: "Tech" } },
  species: { kit: { short: "Kit" }, zeth: { short: "Zeth" }, yen: { short: "Yen" } },
  licensors: ["yen"],
} as unknown as Printed);

const player = (stock: object, cards: string[]) =>
  ({ seat: 0, stock, cards: Object.fromEntries(cards.map((id) => [id, {}])) }) as unknown as SeatView;

/** Kit is me at 0, Zeth at 1, Yen at 2. */
const seats = [
  { seat: 0, species: "kit", stock: {}, cards: { works: {}, team: {} }, deck: ["kit.tech", "fleet"] },
  { seat: 1, species: "zeth", stock: {}, cards: { thief: {}, spica: {} }, deck: [] },
  { seat: 2, species: "yen", stock: {}, cards: { "yen.tech": {} }, deck: [] },
] as unknown as SeatView[];
const at = (turn: number, phase = "trade", you = 0) =>
  ({ you, players: seats, round: seats, view: { turn, phase, players: seats }, face: () => null }) as unknown as Table;
const told = (lines: readonly Line[]) =>
  Object.fromEntries(lines.map((line) => [line.words, line.between.map(({ from, to }) => [from, to])]));
const clause = (lines: readonly Line[], words: string): Clause | undefined =>
  lines.find((line) => line.words === words)?.between[0]?.clause;
const about = (card: string | null, seat: number | null): Subject => ({ card, seat });

describe("what can be said about", () => {
  it("a card of mine: lent and promised to each, run, upgraded, kept back", () => {
    const { hand, do: deeds, forbear } = said(at(2), about("works", 0), []);
    const each = [
      [0, 1],
      [0, 2],
    ];
    expect(told(hand)).toEqual({ "about.lend": each, "about.lend_next": each });
    expect(told(deeds)).toEqual({ "about.run": each, "about.upgrade": each });
    expect(told(forbear)).toEqual({ "about.hand_but": each, "about.hand": each });
    expect(clause(forbear, "about.hand_but")).toEqual({
      kind: "forbear",
      who: 0,
      to: 1,
      what: { kind: "hand", card: "works", but: 1 },
      until: 2,
    });
    expect(clause(deeds, "about.run")).toEqual({
      kind: "undertake",
      to: 1,
      deed: { who: 0, verb: "run", subject: "works" },
      turn: 2,
      by: "economy",
    });
  });

  it("is only what the parties of the offer can say to each other", () => {
    expect(told(said(at(2), about("works", 0), [1]).hand)["about.lend"]).toEqual([[0, 1]]);
    expect(told(said(at(2), about("spica", 1), []).hand)["about.give"]).toEqual([[1, 0]]);
    expect(told(said(at(2), about("spica", 1), [1, 2]).hand)["about.give"]).toEqual([
      [1, 0],
      [1, 2],
    ]);
    expect(told(said(at(2), about("spica", 1), [ANYONE]).hand)["about.give"]).toEqual([[ANYONE, 0]]);
  });

  it("a technology that is kept: licences, from who has it to who has not", () => {
    const { hand, forbear } = said(at(2), about("yen.tech", 2), []);
    expect(clause(hand, "about.license")).toEqual({ kind: "license", giver: 2, to: 0, technology: "tech" });
    expect(clause(hand, "about.license_next")).toMatchObject({ kind: "pledge", due: 3, what: { kind: "license" } });
    expect(clause(forbear, "about.license_but")).toMatchObject({ what: { kind: "license", but: 0 }, until: 6 });
    expect(told(said(at(2), about("kit.tech", 0), []).hand)["about.license"]).toEqual([[2, 0]]);
    expect(told(said(at(2), about("team", 0), []).hand)["about.license_next"]).toBeUndefined(); // Kit shares
  });

  it("a card that is not in play yet: put there, or promised", () => {
    const { hand, do: deeds } = said(at(2), about("fleet", 0), [1]);
    expect(clause(hand, "about.lend_next")).toMatchObject({ due: 3, what: { kind: "lend", card: "fleet", to: 1 } });
    expect(hand.map(({ words }) => words)).not.toContain("about.lend");
    expect(clause(deeds, "about.enter")).toMatchObject({ deed: { verb: "enter", subject: "fleet" }, by: "trade" });
  });

  it("a research team: to invent, and not to", () => {
    const { do: deeds, forbear } = said(at(2), about("team", 0), [1]);
    expect(clause(deeds, "about.invent")).toMatchObject({ deed: { verb: "invent", subject: "tech" } });
    expect(clause(forbear, "about.no_invent")).toMatchObject({ what: { kind: "invent", subject: "tech" } });
  });

  it("a card for sale: taken, left, handed on if it was taken; either may promise it", () => {
    const { hand, do: deeds, forbear } = said(at(2, "confluence"), about("spica", null), [1]);
    expect(told(deeds)).toEqual({
      "about.buy": [
        [1, 0],
        [0, 1],
      ],
    });
    expect(clause(forbear, "about.no_take")).toMatchObject({ what: { kind: "take", card: "spica" }, until: 2 });
    expect(clause(hand, "about.hand_on")).toMatchObject({
      due: 3,
      what: { kind: "give", giver: 1, cards: ["spica"] },
      only_if: { who: 1, verb: "buy", subject: "spica" },
    });
  });

  it("a seat: bids, thefts by who can steal, deals with others, cubes of choice", () => {
    const { hand, do: deeds, forbear } = said(at(2), about(null, 1), []);
    expect(clause(deeds, "about.bid_colony")).toMatchObject({ deed: { verb: "bid", subject: "colony", least: 1 } });
    expect(clause(forbear, "about.no_bid_research")).toMatchObject({
      what: { kind: "bid", track: "research", most: 0 },
    });
    expect(told(forbear)["about.no_steal"]).toEqual([[1, 0]]);
    expect(clause(forbear, "about.no_trade")).toMatchObject({ who: 1, to: 0, what: { kind: "trade", partner: 2 } });
    const lot = (words: string) => clause(hand, words) as Extract<Clause, { kind: "pledge" }>;
    expect(lot("about.any_small").what).toMatchObject({ kind: "one_of", lots: [{ cubes: 2, kinds: [...SMALL] }] });
    expect(lot("about.any_large").what).toMatchObject({ lots: [{ kinds: [...LARGE] }], chosen_by: "creditor" });
  });

  it("nothing later in the last turn, and nothing now while bidding", () => {
    const last = said(at(6), about("works", 0), [1]);
    expect(last.hand.map(({ words }) => words)).toEqual(["about.lend"]);
    const bidding = said(at(2, "confluence"), about("works", 0), [1]);
    expect(bidding.hand.map(({ words }) => words)).toEqual(["about.lend_next"]);
    expect(clause(bidding.do, "about.run")).toMatchObject({ turn: 3 });
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
  it("are told once when somebody turned one down; a deal is shown happening", () => {
    const line = (n: number, event: object): SeenLine =>
      ({ n, at: 0, seat: 1, events: [event], told: [`line ${n}`] }) as unknown as SeenLine;
    const lines = [
      line(1, { kind: "deal_declined", by: 1, deal: "mine" }),
      line(2, { kind: "deal_declined", by: 1, deal: "mine" }),
      line(3, { kind: "deal_declined", by: 1, deal: "other" }),
      line(4, { kind: "deal_declined", by: 0, deal: "mine" }),
      line(5, { kind: "deal_struck", by: 2, deal: "mine", parties: [0, 2] }),
    ];
    expect(refusals({ lines }, 0, new Set(["mine"]), 1)).toEqual(["line 2"]);
  });
});

describe("a step with nothing to decide", () => {
  it("is told to whom it was done for, once", () => {
    const line = (n: number, seat: number) =>
      ({ n, events: [{ kind: "step_spared", seat, step: "bid" }], told: [`line ${n}`] }) as unknown as SeenLine;
    expect(spared([line(1, 0), line(2, 1), line(3, 0)], 0, 1)).toEqual(["line 3"]);
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
