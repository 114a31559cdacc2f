import { describe, expect, it } from "vitest";
import { lay } from "~/lib/catalog.svelte";
import type { Printed, SeatView } from "~/wire";
import { groups, paired, waiting } from "./cards";

lay({
  cards: {
    one: { kind: "starting", mate: "two", leads: true },
    two: { kind: "starting", mate: "one" },
    lone: { kind: "starting" },
    spica: { kind: "colony" },
    late: { kind: "computer", entry: { cost: { any_small: 2 } } },
    tech: { kind: "technology" },
  },
} as unknown as Printed);
const seat = (cards: object, deck: string[] = []) => ({ seat: 0, cards, deck }) as unknown as SeatView;

describe("my cards", () => {
  it("lie in groups, what is lent to me apart", () => {
    const found = groups(seat({ spica: { owner: 0 }, lone: { owner: 2 }, one: { owner: 0 } }), 0);
    expect(found.map((group) => [group.name, group.cards])).toEqual([
      ["starting", ["one"]],
      ["colony", ["spica"]],
      ["lent", ["lone"]],
    ]);
  });

  it("are one card where they are a pair, under the half with the converter", () => {
    expect(paired(["two", "lone", "one"])).toEqual(["lone", "one"]);
    expect(paired(["two"])).toEqual(["two"]);
  });

  it("that are not in play are those I can bring there and those that wait", () => {
    expect(waiting(seat({}, ["tech", "late"]))).toEqual({ enter: ["late"], rest: ["tech"] });
  });
});
