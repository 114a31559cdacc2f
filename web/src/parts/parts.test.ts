import { render, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { describe, expect, it, vi } from "vitest";
import { lay } from "~/lib/catalog.svelte";
import type { Printed } from "~/wire";
import Button from "./Button.svelte";
import Chip from "./Chip.svelte";
import Goods from "./Goods.svelte";

lay({
  cards: {},
  species: {},
  technologies: {},
  languages: ["en"],
  levels: [],
  licensors: [],
  words: {
    language: "English",
    goods: { green: { letter: "G", one: "green", many: "green" }, ship: { letter: "S", one: "ship", many: "ships" } },
    steps: {},
    phases: {},
    tracks: {},
    climates: {},
  },
} satisfies Printed);

const text = (said: string) => createRawSnippet(() => ({ render: () => `<span>${said}</span>` }));

describe("parts", () => {
  it("say goods in words to those who listen", () => {
    render(Goods, { goods: { green: 2, ship: 1 }, donate: { green: 1 } });
    expect(screen.getByRole("img").getAttribute("aria-label")).toBe("2 green, 1 ship, 1 green (to give away)");
  });

  it("give a chip that can be picked a button, and one that is not there none", () => {
    const onclick = vi.fn();
    const { rerender } = render(Chip, { kind: "green", n: 2, onclick });
    screen.getByRole("button").click();
    expect(onclick).toHaveBeenCalledOnce();
    void rerender({ kind: "green", n: 0, onclick });
    return vi.waitFor(() => expect(screen.queryByRole("button")).toBeNull());
  });

  it("say beside a greyed button why it is greyed, and do nothing", () => {
    const onclick = vi.fn();
    render(Button, { children: text("Invent"), why: "short 3 white", onclick });
    const button = screen.getByRole("button");
    button.click();
    expect(onclick).not.toHaveBeenCalled();
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(document.getElementById(button.getAttribute("aria-describedby")!)?.textContent).toBe("short 3 white");
  });
});
