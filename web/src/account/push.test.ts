import { describe, expect, it } from "vitest";
import { bytes, possible } from "./push";

describe("web push", () => {
  it("reads the server's key", () => {
    expect([...bytes("BAH_-w")]).toEqual([4, 1, 255, 251]);
  });

  it("is not offered where the browser has none", () => {
    expect(possible()).toBe(false);
  });
});
