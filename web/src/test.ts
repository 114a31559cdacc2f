import { afterEach } from "vitest";
import { more } from "~/lib/words.svelte";

// The page speaks English, all of it.
await more();

// Every test starts with an empty page and no settings.
afterEach(() => {
  document.body.innerHTML = "";
  localStorage.clear();
});
