import { describe, expect, it } from "vitest";
import { rateOf } from "./rates";

describe("the exchange rate under a converter", () => {
  it("counts small cubes and ships as one, large as one and a half, octagons and points as three", () => {
    expect(rateOf({ costs: [{ goods: { green: 2, ship: 1 } }], gain: { yellow: 1, ultratech: 1 } })).toEqual({
      paid: [3],
      out: 4.5,
    });
    expect(rateOf({ costs: [{ any_large: 2 }], gain: { point: 1 }, donate: { brown: 1 } })).toEqual({
      paid: [3],
      out: 4,
    });
  });
  it("is given for each way to pay", () => {
    expect(rateOf({ costs: [{ goods: { ultratech: 1 } }, { same_small: 4 }], same: 2 })?.paid).toEqual([3, 4]);
  });
  it("is not printed where a colony is handed in or a card is drawn", () => {
    expect(rateOf({ costs: [{ colonies: [["ice", 1]] }], gain: { blue: 2 } })).toBeNull();
    expect(rateOf({ draws: "faderan.relic" })).toBeNull();
  });
});
