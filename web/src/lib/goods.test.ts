import { describe, expect, it } from "vitest";
import { isFree, isNothing, items, plus, short } from "./goods";

describe("goods", () => {
  it("come in the order of the kinds", () => {
    expect(items({ ship: 1, green: 2, blue: 0 })).toEqual([
      ["green", 2],
      ["ship", 1],
    ]);
  });

  it("are added one by one and vanish at zero", () => {
    expect(plus({ green: 1 }, "green")).toEqual({ green: 2 });
    expect(plus({ green: 1, ship: 1 }, "green", -1)).toEqual({ ship: 1 });
    expect(plus({}, "white", -1)).toEqual({});
  });

  it("are typed in the short form, small and large wild told apart", () => {
    expect(short({ green: 2, ship: 1 })).toBe("2g+1s");
    expect(short({ wild_small: 1, wild_large: 2, brown: 3 })).toBe("3n+1a+2A");
  });

  it("know when there is nothing, and when a price is free", () => {
    expect(isNothing({ green: 0 })).toBe(true);
    expect(isFree({})).toBe(true);
    expect(isFree({ any_small: 2 })).toBe(false);
    expect(isFree({ colonies: [["ice", 1]] })).toBe(false);
  });
});
