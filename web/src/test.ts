import { afterEach } from "vitest";

// Every test starts with an empty page and no settings.
afterEach(() => {
  document.body.innerHTML = "";
  localStorage.clear();
});
