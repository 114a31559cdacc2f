import { describe, expect, it } from "vitest";
import type { Line } from "~/lib/table.svelte";
import { fate } from "./ghosts.svelte";

const line = (event: object, told: string): Line =>
  ({ n: 1, at: 0, seat: 1, events: [event], told: [told] }) as unknown as Line;

describe("an offer that is gone", () => {
  it("says why, in the server's words", () => {
    const lines = [line({ kind: "deal_withdrawn", by: 1, deal: "d1" }, "Kit withdraws it")];
    expect(fate(lines, "d1", 0)).toBe("Kit withdraws it");
    expect(fate(lines, "d2", 0)).toBeNull();
  });
  it("leaves out what the offer was for, which is drawn beside it", () => {
    const said = (told: string) => fate([line({ kind: "deal_withdrawn", by: 1, deal: "d1" }, told)], "d1", 0);
    expect(said("Kit withdraws the offer: Kit gives Zeth 1 green.")).toBe("Kit withdraws the offer.");
    expect(said("Kit zieht ein Angebot zurück: Kit gibt 1 grün. „Nein.“")).toBe(
      "Kit zieht ein Angebot zurück. „Nein.“",
    );
  });
  it("says nothing when I declined or took it", () => {
    expect(fate([line({ kind: "deal_declined", by: 0, deal: "d1" }, "no")], "d1", 0)).toBeNull();
    expect(fate([line({ kind: "deal_struck", by: 0, deal: "d1", parties: [0, 1] }, "yes")], "d1", 0)).toBeNull();
  });
  it("tells that others struck it", () => {
    const lines = [line({ kind: "deal_struck", by: 2, deal: "d1", parties: [1, 2] }, "Kit and Zeth agree")];
    expect(fate(lines, "d1", 0)).toBe("Kit and Zeth agree");
  });
  it("names the time that ended", () => {
    expect(fate([line({ kind: "deals_lapsed", deals: ["d1"] }, "Trading is over")], "d1", 0)).toBe("Trading is over");
  });
});
