import { describe, expect, it } from "vitest";
import type { SeatStory, Sources } from "~/wire";
import { apart, course, edges, top } from "./story";

const none: Sources = { invention: 0, sharing: 0, converter: 0, card: 0, gift: 0, penalty: 0 };

describe("the pictures of the story", () => {
  it("follow a seat from nothing to its total", () => {
    const turns = [
      { ...none, invention: 3 },
      { ...none, invention: 3, sharing: 6, penalty: -1 },
    ];
    expect(course({ turns, total: 9.5 } as SeatStory)).toEqual([0, 3, 9.5]);
  });

  it("move labels apart without changing their order", () => {
    expect(apart([10, 12, 50], 16, 300)).toEqual([10, 26, 50]);
    expect(apart([290, 295], 16, 300)).toEqual([284, 300]);
  });

  it("lay both directions of a trade together", () => {
    const trades = [
      { giver: 1, to: 0, value: 2, deals: 1 },
      { giver: 0, to: 1, value: 3, deals: 2 },
      { giver: 0, to: 2, value: 0, deals: 1 },
    ];
    expect(edges(trades)).toEqual([{ a: 0, b: 1, value: 5, deals: 2 }]);
  });

  it("end a scale on a round number", () => {
    expect([0, 7, 33, 54, 81].map(top)).toEqual([5, 10, 40, 60, 100]);
  });
});
