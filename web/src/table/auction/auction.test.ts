import { describe, expect, it } from "vitest";
import type { Table } from "~/lib/table.svelte";
import type { GameEvent, Standing, View } from "~/wire";
import { keyOf, reason, remember, remembered, rows, since } from "./auction";

const bid = (seat: number, ships: number, more: Partial<Standing> = {}): Standing => ({
  seat,
  ships,
  counts: ships,
  held: 2,
  tiebreaker: seat,
  half: false,
  ahead: null,
  ...more,
});
const revealed: GameEvent = {
  kind: "bids_revealed",
  track: "colony",
  bids: [
    { seat: 0, ships: 3 },
    { seat: 1, ships: 3 },
    { seat: 2, ships: 0 },
  ],
};

describe("an auction", () => {
  it("begins where its bids were opened last", () => {
    const line = (n: number, ...events: GameEvent[]) => ({ n, at: 0, seat: null, events, told: [] });
    const bought: GameEvent = { kind: "card_bought", by: 1, track: "colony", space: 0, card: "a", ships: 3 };
    const lines = [line(1, revealed), line(2, bought), line(3, revealed), line(4, bought)];
    expect(since(lines, "colony")).toEqual([revealed, bought]);
    expect(since(lines, "research")).toEqual([]);
  });

  it("lists those who acted, those who wait and those without a bid", () => {
    const first = bid(0, 3, { ahead: "tiebreaker" });
    const seen = new Map([[keyOf(first), first]]);
    const bought: GameEvent = { kind: "card_bought", by: 0, track: "colony", space: 0, card: "a", ships: 3 };
    const other: GameEvent = { kind: "bid_passed", by: 1, track: "research", ships: 1 };
    const list = rows([revealed, bought, other], [bid(1, 3)], seen);
    expect(list.map((row) => [row.seat, row.did, row.card])).toEqual([
      [0, "bought", "a"],
      [1, "waits", null],
      [2, "none", null],
    ]);
    expect(reason(list[0]!, list[1])).toEqual({ key: "bid.ahead_tiebreaker", seat: 1, mine: "0", theirs: "1" });
  });

  it("remembers how bids stood, until another turn", () => {
    const at = (turn: number, standing: Standing[]) =>
      (table.view = { turn, step: "colony_auction", standing } as unknown as View);
    const table = { view: null } as unknown as Table;
    at(2, [bid(0, 3), bid(1, 2)]);
    remember(table);
    at(2, [bid(1, 2)]);
    remember(table);
    expect([...remembered(table, "colony").keys()]).toEqual(["0.3", "1.2"]);
    at(3, [bid(1, 1)]);
    remember(table);
    expect([...remembered(table, "colony").keys()]).toEqual(["1.1"]);
    expect(remembered(table, "research").size).toBe(0);
  });

  it("remembers it when the page is loaded anew", () => {
    const view = { turn: 2, step: "research_auction", standing: [bid(4, 1)] } as unknown as View;
    remember({ id: "t7", view } as unknown as Table);
    expect([...remembered({ id: "t7", view } as unknown as Table, "research").values()]).toEqual([bid(4, 1)]);
    expect(remembered({ id: "t8", view } as unknown as Table, "research").size).toBe(0);
  });

  it("names a tie-break only where one decided", () => {
    const row = (standing: Standing) => rows([revealed], [standing], new Map())[0]!;
    expect(reason(row(bid(0, 4, { ahead: "bid" })), row(bid(1, 3)))).toBeNull();
    expect(reason(row(bid(0, 3, { ahead: "cards", held: -1 })), row(bid(1, 3)))?.key).toBe("bid.ahead_always");
    expect(reason(row(bid(0, 3, { ahead: "cards", held: 1 })), row(bid(1, 3)))).toMatchObject({
      key: "bid.ahead_cards",
      mine: "1",
      theirs: "2",
    });
    expect(reason(row(bid(0, 3)), undefined)).toBeNull();
  });
});
