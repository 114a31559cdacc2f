import { afterEach, expect, it, vi } from "vitest";
import { renewWhenMissing } from "./renew";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("loads the page anew once, when the server is there again", async () => {
  vi.useFakeTimers();
  const answers = [false, true];
  vi.stubGlobal(
    "fetch",
    vi.fn(() => (answers.shift() ? Promise.resolve({ ok: true }) : Promise.reject(new Error("gone")))),
  );
  const reload = vi.fn();
  renewWhenMissing(reload);
  dispatchEvent(new Event("vite:preloadError"));
  dispatchEvent(new Event("vite:preloadError"));
  await vi.advanceTimersByTimeAsync(2500);
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2500);
  expect(reload).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(9000);
  expect(reload).toHaveBeenCalledOnce();
});
