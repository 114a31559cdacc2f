import { cleanup } from "@testing-library/svelte";
import { afterEach } from "vitest";
import { more } from "~/lib/words.svelte";

// The page speaks English, all of it.
await more();

// Every test starts with an empty page, on which nothing lives on, and no settings.
afterEach(() => {
  cleanup();
  document.body.innerHTML = "";
  localStorage.clear();
});
