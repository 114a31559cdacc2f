import { describe, expect, it } from "vitest";
import { STEPS, stepNow, type Facts } from "./steps";

const START: Facts = {
  began: 1,
  turn: 1,
  step: "trade",
  asked: false,
  sent: false,
  traded: false,
  offers: 0,
  done: false,
  bid: false,
};
const now = (facts: Partial<Facts>, passed: (typeof STEPS)[number][] = []) => stepNow({ ...START, ...facts }, passed);

describe("the guided turn", () => {
  it("begins with what I make, then what I lack", () => {
    expect(now({})).toBe("make");
    expect(now({}, ["make"])).toBe("lack");
    expect(now({}, ["make", "lack"])).toBe("ask");
  });

  it("goes on by what happens, also when steps were not read", () => {
    expect(now({ asked: true })).toBe("give");
    expect(now({ sent: true })).toBe("accept");
    expect(now({ traded: true })).toBe("done");
  });

  it("shows an offer that came before one was made", () => {
    expect(now({ offers: 1 }, ["make", "lack"])).toBe("accept");
  });

  it("follows the table through the phases and ends with the turn", () => {
    expect(now({ done: true })).toBe("done");
    expect(now({ step: "window" })).toBe("done");
    expect(now({ step: "plan" })).toBe("plan");
    expect(now({ step: "bid" })).toBe("bid");
    expect(now({ step: "bid", bid: true })).toBe("end");
    expect(now({ step: "colony_auction" })).toBe("end");
    expect(now({ turn: 2 })).toBe("end");
  });

  it("lets every step be passed", () => {
    expect(now({}, ["make", "lack", "ask", "give", "accept"])).toBe("done");
    expect(now({ step: "bid" }, ["bid"])).toBe("end");
  });
});
