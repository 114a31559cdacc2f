import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, describe, expect, it, vi } from "vitest";
import { lay } from "~/lib/catalog.svelte";
import { closeHelp, helpAsked } from "~/lib/help.svelte";
import { speak } from "~/lib/words.svelte";
import SpeciesBadge from "~/parts/SpeciesBadge.svelte";
import type { Printed } from "~/wire";
import Explain from "./Explain.svelte";
import Rules from "./Rules.svelte";
import SpeciesSheet from "./SpeciesSheet.svelte";

const zeth = {
  id: "zeth",
  name: "Zeth",
  full_name: "Zeth Anocracy",
  short: "Zeth",
  difficulty: 3,
  impact: 2,
  support: 3,
  tiebreaker: 2,
  colonies: 1,
  research: 1,
  stock: { green: 1 },
};
lay({
  cards: {},
  species: { zeth },
  technologies: {},
  languages: ["en"],
  levels: [],
  licensors: [],
  words: { language: "English", goods: {}, steps: {}, phases: {}, tracks: {}, climates: {} },
} satisfies Printed);

afterEach(async () => {
  closeHelp();
  await speak("en");
});

describe("teaching", () => {
  it("opens a species' sheet from its badge", () => {
    render(SpeciesBadge, { species: "zeth" });
    screen.getByRole("button", { name: "About Zeth" }).click();
    expect(helpAsked()).toEqual({ about: "species", species: "zeth" });
  });

  it("shows the sheet in the language spoken", async () => {
    await speak("de");
    render(SpeciesSheet, { id: "zeth" });
    await waitFor(() => screen.getByText("Für die erste Partie"));
    expect(screen.getByText(/^Diebe\./)).toBeTruthy();
  });

  it("finds a rule by a word and marks it", async () => {
    render(Rules, { search: "" });
    await fireEvent.input(await screen.findByRole("searchbox"), { target: { value: "octagon" } });
    await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/places/));
    expect(document.querySelector("mark")?.textContent?.toLowerCase()).toBe("octagon");
  });

  it("explains a sign under the pointer, and gives its title back afterwards", async () => {
    const sign = document.createElement("span");
    sign.title = "2 points";
    sign.innerHTML = `<svg><use href="#g-point"></use></svg>`;
    document.body.append(sign);
    sign.getBoundingClientRect = sign.firstElementChild!.getBoundingClientRect = () => new DOMRect(10, 10, 20, 20);
    render(Explain);
    let place = 0;
    const mouse = (kind: string, to: Element, screenX: number) =>
      fireEvent(to, new PointerEvent(kind, { bubbles: true, pointerType: "mouse", screenX }));
    await vi.waitFor(async () => {
      await mouse("pointerover", sign.firstElementChild!, ++place);
      await mouse("pointermove", sign.firstElementChild!, place);
      await new Promise((done) => setTimeout(done, 500));
      expect(screen.getByRole("tooltip").textContent).toMatch(/Victory point/);
    }, 4000);
    expect(screen.getByRole("tooltip").textContent).toMatch(/2 points/);
    await mouse("pointerover", document.body, ++place);
    await mouse("pointermove", document.body, place);
    await waitFor(() => expect(sign.title).toBe("2 points"));
    // What comes under a mouse that rests is not explained before it moves.
    await mouse("pointerover", sign.firstElementChild!, place);
    await new Promise((done) => setTimeout(done, 600));
    expect(screen.queryByRole("tooltip")).toBeNull();
    sign.remove();
  });
});
