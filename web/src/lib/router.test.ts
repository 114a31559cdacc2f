import { describe, expect, it } from "vitest";
import { read } from "./router.svelte";

describe("addresses", () => {
  it("name a screen", () => {
    expect(read("/", "")).toEqual({ screen: "lobby" });
    expect(read("/nonsense", "")).toEqual({ screen: "nowhere" });
  });

  it("carry a code for another device in the fragment", () => {
    expect(read("/", "#code")).toEqual({ screen: "arrive", code: "code" });
    expect(read("/", "#")).toEqual({ screen: "lobby" });
  });

  it("carry an invitation in the fragment", () => {
    expect(read("/t/abc", "#secret")).toEqual({ screen: "table", table: "abc", invitation: "secret" });
    expect(read("/t/abc", "#offer=7")).toEqual({ screen: "table", table: "abc", invitation: "", offer: "7" });
    expect(read("/t/abc", "")).toEqual({ screen: "table", table: "abc", invitation: "" });
  });
});
