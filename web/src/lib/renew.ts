// A part of the page that could not be fetched stays missing until the page is loaded anew: browsers remember
// the failure. So the page is, as soon as there is a server again; perhaps it was a newer one all along.
const AGAIN = 2000;

/** Whether the page itself can be fetched. */
async function there(): Promise<boolean> {
  return fetch("/", { cache: "no-store" }).then(
    (answer) => answer.ok,
    () => false,
  );
}

export function renewWhenMissing(reload: () => void = () => location.reload()): void {
  let waiting = false;
  async function look(): Promise<void> {
    if (await there()) reload();
    else setTimeout(() => void look(), AGAIN);
  }
  addEventListener("vite:preloadError", () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => void look(), AGAIN);
  });
}
