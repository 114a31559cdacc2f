import { describe, expect, it } from "vitest";
import type { Table } from "~/lib/table.svelte";
import { lay } from "~/lib/catalog.svelte";
import { ANYONE, type Clause, type Deal, type Printed, type SeatView } from "~/wire";
import { asksPrice, binds, desk, sides, tokens } from "./deals";
import { Draft } from "./draft.svelte";

lay({
  cards: { "kit.card": { species: "kit" }, "colony.spica": { kind: "colony" } },
  species: { faderan: { stock: { acknowledgement: 11 } }, kit: { stock: {} } },
} as unknown as Printed);

const give = (giver: number, to: number, goods: object): Clause => ({ kind: "give", giver, to, goods });
const pledge = (giver: number, to: number): Clause => ({
  kind: "pledge",
  what: { kind: "give", giver, to, goods: { green: 2 } },
  due: 4,
});
const deal = (id: string, proposer: number, parties: number[], clauses: Clause[]): Deal => ({
  id,
  proposer,
  parties,
  clauses,
});

const swap = deal("d1", 1, [1, 0], [give(1, 0, { green: 2 }), give(0, 1, { yellow: 1 })]);
const open = deal("d2", 2, [2, ANYONE], [give(2, ANYONE, { white: 1 }), give(ANYONE, 2, { ship: 1 })]);
const far = deal("d3", 1, [1, 2], [give(1, 2, { green: 1 })]);
const own = deal("d4", 0, [0, 1], [give(0, 1, { blue: 1 }), pledge(1, 0)]);

describe("an offer", () => {
  it("shows what I get and what I give", () => {
    expect(sides(swap, 0)).toEqual({ get: [swap.clauses[0]], give: [swap.clauses[1]], rest: [] });
    expect(sides(swap, 1).get).toEqual([swap.clauses[1]]);
  });

  it("to anyone is to me, unless it is mine", () => {
    expect(sides(open, 0).get).toEqual([open.clauses[0]]);
    expect(sides(open, 2).get).toEqual([open.clauses[1]]);
  });

  it("binds when it promises or lends", () => {
    expect(binds(swap)).toBe(false);
    expect(binds(own)).toBe(true);
  });

  it("lies where it belongs on the desk, newest last", () => {
    const table = { you: 0, view: { deals: { d1: swap, d2: open, d3: far, d4: own } } } as unknown as Table;
    const lying = desk(table);
    expect(lying.forMe.map((one) => one.id)).toEqual(["d1"]);
    expect(lying.market.map((one) => one.id)).toEqual(["d2", "d3"]);
    expect(lying.mine.map((one) => one.id)).toEqual(["d4"]);
  });

  it("can hold the tokens a species begins with, not those it was given", () => {
    const seat = (species: string) => ({ species, stock: { acknowledgement: 1, envoy: 1 } }) as unknown as SeatView;
    expect(tokens(seat("faderan"))).toEqual(["acknowledgement"]);
    expect(tokens(seat("kit"))).toEqual([]);
    expect(tokens(null)).toEqual([]);
  });
});

describe("the draft of an offer", () => {
  it("is made of clicks: their chip is wanted, mine is given", () => {
    const draft = new Draft();
    draft.want(2, "white");
    draft.want(2, "white");
    draft.offer("blue");
    expect(draft.typed).toBe("1t > 2w");
    expect(draft.clauses(0)).toEqual([give(0, 2, { blue: 1 }), give(2, 0, { white: 2 })]);
  });

  it("starts anew when somebody else's chip is wanted", () => {
    const draft = new Draft();
    draft.want(1, "white");
    draft.want(2, "green");
    expect(draft.to).toBe(2);
    expect(draft.get).toEqual({ green: 1 });
  });

  it("counters an offer from its terms and keeps its promises", () => {
    const draft = new Draft();
    const offer = deal("d9", 1, [1, 0], [give(1, 0, { green: 2 }), give(0, 1, { yellow: 1 }), pledge(0, 1)]);
    draft.counter(offer, 0);
    expect(draft).toMatchObject({
      to: 1,
      answers: "d9",
      get: { green: 2 },
      give: { yellow: 1 },
      more: [offer.clauses[2]],
      open: true,
    });
  });

  it("puts a side off to a turn, gifts and all", () => {
    const draft = new Draft();
    draft.want(2, "green");
    draft.wantGift(2, "green", 2);
    expect(draft.clauses(0)).toEqual([{ ...give(2, 0, { green: 1 }), donation: { green: 2 } }]);
    draft.later("get", 4);
    expect(draft.clauses(0)).toEqual([{ kind: "pledge", what: give(2, 0, { green: 3 }), due: 4 }]);
  });

  it("gives colonies and lends what has a species' border", () => {
    const draft = new Draft();
    draft.to = 1;
    draft.card("give", "colony.spica");
    draft.card("give", "kit.card");
    expect(draft.clauses(0)).toEqual([
      { kind: "give", giver: 0, to: 1, goods: {}, cards: ["colony.spica"] },
      { kind: "lend", giver: 0, to: 1, card: "kit.card" },
    ]);
    draft.card("give", "kit.card");
    expect(draft.cards.give).toEqual(["colony.spica"]);
  });

  it("asks a further party for goods in a clause of their own", () => {
    const draft = new Draft();
    draft.of(0);
    draft.want(1, "white");
    draft.party(3);
    draft.want(3, "ship", 2);
    draft.want(3, "ship", -1);
    expect(draft.clauses(0)).toEqual([give(1, 0, { white: 1 }), give(3, 0, { ship: 1 })]);
    draft.want(3, "ship", -1);
    expect(draft.more).toEqual([]);
  });

  it("counters an offer to anyone as the one who would take it", () => {
    const draft = new Draft();
    draft.counter(open, 0);
    expect(draft).toMatchObject({ to: 2, others: [], answers: "d2", get: { white: 1 }, give: { ship: 1 }, more: [] });
  });

  it("with nothing given asks for the price", () => {
    const draft = new Draft();
    draft.want(1, "white");
    expect(draft.asksPrice).toBe(true);
    expect(asksPrice(deal("d5", 1, [1, 0], [give(0, 1, { white: 1 })]))).toBe(true);
    expect(asksPrice(swap)).toBe(false);
  });
});
