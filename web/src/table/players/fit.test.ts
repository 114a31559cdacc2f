import { describe, expect, it } from "vitest";
import { fit, type Group } from "./fit";

const group = (n: number, hot = false): Group => ({ kind: "green", n, hot });

describe("the groups of a column", () => {
  it("all stand there when they fit", () => {
    expect(fit([group(1), group(12)], 100)).toEqual({ shown: [group(1), group(12)], rest: 0 });
  });
  it("are counted when they do not", () => {
    const { shown, rest } = fit([group(12), group(13), group(14)], 70);
    expect(shown).toHaveLength(1);
    expect(rest).toBe(2);
  });
  it("begin with what concerns me", () => {
    expect(fit([group(2), group(3, true)], 200).shown[0]).toEqual(group(3, true));
  });
  it("leave only the count where there is no room at all", () => {
    expect(fit([group(1), group(1)], 10)).toEqual({ shown: [], rest: 2 });
  });
});
