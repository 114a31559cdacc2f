import { beforeEach, describe, expect, it } from "vitest";
import type { Table } from "~/lib/table.svelte";
import { Draft } from "./draft.svelte";
import { bringBack, keep } from "./unsent";

const at = (turn: number, deals: string[] = []) =>
  ({ id: "t1", you: 0, view: { turn, deals: Object.fromEntries(deals.map((id) => [id, {}])) } }) as unknown as Table;

describe("an offer that is not sent yet", () => {
  beforeEach(() => sessionStorage.clear());

  it("is there again when the page is loaded anew", () => {
    const draft = new Draft();
    draft.of(0);
    draft.want(2, "yellow");
    draft.offer("green", 2);
    draft.later("give", 4);
    draft.add({ kind: "note", text: "be nice" });
    keep(draft, at(3));
    const again = new Draft();
    bringBack(again, at(3));
    expect(again.clauses(0)).toEqual(draft.clauses(0));
    expect(again.to).toBe(2);
  });

  it("is forgotten when it is sent, and in another turn", () => {
    const draft = new Draft();
    draft.want(2, "yellow");
    keep(draft, at(3));
    const later = new Draft();
    bringBack(later, at(4));
    expect(later.isEmpty).toBe(true);
    draft.clear();
    keep(draft, at(3));
    const again = new Draft();
    bringBack(again, at(3));
    expect(again.isEmpty).toBe(true);
  });

  it("answers no offer that is gone meanwhile", () => {
    const draft = new Draft();
    draft.want(2, "yellow");
    draft.answers = "d4";
    keep(draft, at(3, ["d4"]));
    const [there, gone] = [new Draft(), new Draft()];
    bringBack(there, at(3, ["d4"]));
    bringBack(gone, at(3));
    expect([there.answers, gone.answers]).toEqual(["d4", null]);
  });
});
