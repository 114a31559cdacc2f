import { describe, expect, it } from "vitest";
import type { Table } from "~/lib/table.svelte";
import { lay } from "~/lib/catalog.svelte";
import { ANYONE, type Clause, type Deal, type Printed, type SeatView } from "~/wire";
import { asksPrice, binds, desk, giver, sides, tokens } from "./deals";
import { Draft, pick } from "./draft.svelte";

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
    draft.offer("green");
    draft.party(3);
    draft.want(3, "ship", 2);
    draft.want(3, "ship", -1);
    expect(draft.clauses(0)).toEqual([give(0, 1, { green: 1 }), give(1, 0, { white: 1 }), give(3, 0, { ship: 1 })]);
    draft.want(3, "ship", -1);
    expect(draft.more).toEqual([]);
  });

  it("goes round: what a party that joins gives is for who gets nothing yet, and so is mine", () => {
    const draft = new Draft();
    draft.of(0);
    draft.want(1, "white");
    draft.joining = true;
    draft.want(2, "brown");
    draft.offer("green");
    draft.offer("green");
    expect(draft.clauses(0)).toEqual([give(1, 0, { white: 1 }), give(2, 1, { brown: 1 }), give(0, 2, { green: 2 })]);
    expect([draft.to, draft.others, draft.joining]).toEqual([1, [2], false]);
    draft.party(2, false);
    expect(draft.clauses(0)).toEqual([give(1, 0, { white: 1 })]);
  });

  it("sends what lies on a side to another party when told to", () => {
    const draft = new Draft();
    draft.of(0);
    draft.want(1, "white");
    draft.offer("green");
    draft.party(2);
    draft.redirect("give", 2);
    expect(draft.clauses(0)).toEqual([give(1, 0, { white: 1 }), give(0, 2, { green: 1 })]);
    draft.redirect("get", 2);
    expect(draft.clauses(0)).toContainEqual(give(1, 2, { white: 1 }));
    expect(draft.bare("get")).toBe(true);
  });

  it("stays for anyone, whosever chips, gifts and cards are tapped then", () => {
    const draft = new Draft();
    draft.of(0);
    draft.to = ANYONE;
    draft.want(1, "white");
    draft.wantGift(2, "green");
    draft.card("get", "colony.spica", 2);
    draft.promise(1, "blue", 3);
    draft.put({ kind: "undertake", to: 0, deed: { who: ANYONE, verb: "run", subject: "x" }, turn: 2, by: "economy" });
    expect([draft.to, draft.others]).toEqual([ANYONE, []]);
    expect(draft.clauses(0).map((clause) => giver(clause))).toEqual([ANYONE, ANYONE, ANYONE]);
  });

  it("is not sent while nobody is chosen", async () => {
    const draft = new Draft();
    draft.offer("green");
    const done: unknown[] = [];
    const table = { you: 0, do: async (action: unknown) => done.push(action) > 0 } as unknown as Table;
    expect(await draft.send(table)).toBe(false);
    expect(done).toEqual([]);
    draft.to = 1;
    expect(await draft.send(table)).toBe(true);
    expect(done).toMatchObject([{ parties: [0, 1] }]);
  });

  it("promises what is not there: a tap beyond the stock is due in the next turn", () => {
    const draft = new Draft();
    draft.of(0);
    draft.to = 1;
    const table = { you: 0, view: { turn: 2 } } as unknown as Table;
    const me = { seat: 0, stock: { green: 1 } } as unknown as SeatView;
    for (const kind of ["green", "green", "blue", "green"] as const) pick(draft, table, me, kind, 1);
    const later = { kind: "pledge", what: give(0, 1, { green: 2, blue: 1 }), due: 3 };
    expect(draft.clauses(0)).toEqual([give(0, 1, { green: 1 }), later]);
    for (let n = 0; n < 3; n++) pick(draft, table, me, "green", -1);
    expect(draft.clauses(0)).toEqual([{ ...later, what: give(0, 1, { blue: 1 }) }]);
    const last = { you: 0, view: { turn: 6 } } as unknown as Table;
    pick(draft, last, me, "white", 1);
    expect(draft.promised(0, "white")).toBe(0);
  });

  it("makes lots of a side a choice, promised, with who chooses", () => {
    const draft = new Draft();
    draft.to = 1;
    draft.offer("ultratech");
    draft.or("give", 3);
    draft.offer("green", 3);
    const lots = [{ goods: { ultratech: 1 } }, { goods: { green: 3 } }];
    const what = { kind: "one_of", giver: 0, to: 1, lots, chosen_by: "creditor" };
    expect(draft.clauses(0)).toEqual([{ kind: "pledge", what, due: 3 }]);
    draft.choosers = { ...draft.choosers, give: "debtor" };
    expect(draft.clauses(0)).toEqual([{ kind: "pledge", what: { ...what, chosen_by: "debtor" }, due: 3 }]);
    draft.or("give", 4);
    draft.without("give", 0);
    expect(draft.clauses(0)).toEqual([{ kind: "pledge", what: give(0, 1, { green: 3 }), due: 3 }]); // no choice left
  });

  it("hangs the last promise on a deed", () => {
    const draft = new Draft();
    const deed = { who: 1, verb: "run", subject: "mill" } as const;
    draft.to = 1;
    draft.offer("green");
    expect(draft.promises).toBe(false);
    draft.later("give", 3);
    draft.onlyIf(deed);
    expect(draft.clauses(0)).toEqual([{ kind: "pledge", what: give(0, 1, { green: 1 }), due: 3, only_if: deed }]);
    draft.add(pledge(1, 0));
    draft.onlyIf(deed);
    expect(draft.more).toEqual([{ ...pledge(1, 0), only_if: deed }]);
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
