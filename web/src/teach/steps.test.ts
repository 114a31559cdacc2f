import { describe, expect, it } from "vitest";
import { STEPS, stepNow, type Facts } from "./steps";

const START: Facts = {
  began: 1,
  turn: 1,
  step: "trade",
  asked: false,
  sent: false,
  traded: false,
  done: false,
  bid: false,
};
const now = (facts: Partial<Facts>, passed: (typeof STEPS)[number][] = []) => stepNow({ ...START, ...facts }, passed);

describe("the guided turn", () => {
  it("begins with what wins, then what I make and lack", () => {
    expect(now({})).toBe("goal");
    expect(now({}, ["goal"])).toBe("make");
    expect(now({}, ["goal", "make"])).toBe("lack");
    expect(now({}, ["goal", "make", "lack"])).toBe("ask");
    expect(now({ step: "handicap" })).toBe("goal");
  });

  it("goes on by what I do, also when steps were not read", () => {
    expect(now({ asked: true })).toBe("give");
    expect(now({ sent: true })).toBe("accept");
  });

  it("does not speak of being done after one deal, before somebody has enough", () => {
    expect(now({ traded: true })).toBe("more");
    expect(now({ traded: true, asked: true, sent: true })).toBe("more");
    expect(now({ traded: true }, ["more"])).toBe("done");
  });

  it("follows the table through the phases and ends with the turn", () => {
    expect(now({ done: true })).toBe("done");
    expect(now({ step: "window" })).toBe("done");
    expect(now({ step: "plan" })).toBe("plan");
    expect(now({ step: "bid" })).toBe("bid");
    expect(now({ step: "bid", bid: true })).toBe("take");
    expect(now({ step: "colony_auction" })).toBe("take");
    expect(now({ step: "research_auction", bid: true })).toBe("take");
    expect(now({ step: "steal" })).toBe("end");
    expect(now({ turn: 2 })).toBe("end");
  });

  it("lets every step be passed", () => {
    expect(now({}, ["goal", "make", "lack", "ask", "give", "accept", "more"])).toBe("done");
    expect(now({ step: "bid" }, ["bid"])).toBe("take");
  });
});
