// What a mouse rests on in a list stays under it, whatever comes, goes or grows above. When it leaves, the list
// closes up.

/** What is held: the button, and the entry of the list it is in, with where they were. */
interface Held {
  entry: HTMLElement;
  place: number;
  height: number;
  marks: { element: Element; top: number }[]; // the nearest first
}

/** Hold what the mouse is over; the result lets go for good. */
export function steady(list: HTMLElement): () => void {
  let held: Held | null = null;
  let at: { x: number; y: number } | null = null;
  let pressed = false; // what I do myself may move things
  const kept = new Set<HTMLElement>();

  const top = (element: Element) => element.getBoundingClientRect().top;
  const room = (name: "--above" | "--below") => parseFloat(list.style.getPropertyValue(name)) || 0;
  const grow = (name: "--above" | "--below", by: number) => list.style.setProperty(name, `${room(name) + by}px`);

  function grab() {
    const over = at && document.elementFromPoint(at.x, at.y);
    const entry = [...list.children].find((one): one is HTMLElement => one.contains(over));
    held = null;
    if (!over || !entry) return;
    const marks = [over.closest("button"), entry].filter((one) => one !== null);
    const place = [...list.children].indexOf(entry);
    held = {
      entry,
      place,
      height: entry.offsetHeight,
      marks: marks.map((element) => ({ element, top: top(element) })),
    };
  }

  /** An entry that is gone leaves its room: to the line that says why, or before the next one. */
  function inherit(gone: Held) {
    const heir = list.children[gone.place];
    if (!(heir instanceof HTMLElement)) return;
    if (heir.matches("article")) heir.style.marginTop = `${gone.height + parseFloat(getComputedStyle(list).rowGap)}px`;
    else heir.style.minHeight = `${gone.height}px`;
    kept.add(heir);
  }

  function settle() {
    if (!held) return;
    if (pressed || !held.entry.isConnected) {
      if (!pressed) inherit(held);
      pressed = false;
      return grab();
    }
    const mark = held.marks.find(({ element }) => element.isConnected)!;
    const moved = top(mark.element) - mark.top;
    if (Math.abs(moved) < 1) return;
    if (moved > 0) grow("--below", Math.max(0, moved - (list.scrollHeight - list.clientHeight - list.scrollTop)));
    else grow("--above", Math.max(0, -moved - list.scrollTop));
    list.scrollTop += top(mark.element) - mark.top;
  }

  const move = (event: PointerEvent) => {
    if (event.pointerType !== "mouse") return;
    at = { x: event.clientX, y: event.clientY };
    list.style.overflowAnchor = "none"; // the browser holds something too, but not always, and not this
    grab();
  };
  const leave = () => {
    held = at = null;
    pressed = false;
    list.style.overflowAnchor = "";
    for (const name of ["--above", "--below"]) list.style.removeProperty(name);
    for (const heir of kept) heir.style.marginTop = heir.style.minHeight = "";
    kept.clear();
  };
  const press = () => (pressed = true);

  const sizes = new ResizeObserver(settle);
  const entries = new MutationObserver(() => {
    for (const one of list.children) sizes.observe(one);
    settle();
  });
  for (const one of list.children) sizes.observe(one);
  entries.observe(list, { childList: true });
  const ears = new AbortController();
  const { signal } = ears;
  list.addEventListener("pointermove", move, { signal });
  list.addEventListener("pointerleave", leave, { signal });
  list.addEventListener("click", press, { signal });
  list.addEventListener("scroll", grab, { signal });
  return () => {
    leave();
    sizes.disconnect();
    entries.disconnect();
    ears.abort();
  };
}
