// What tools/bench_web.py watches on a page: what comes in (marked, so that the trace tells which task heard it)
// and what moves under the pointer. Runs before the page's own scripts; `watched.from(x, y)` begins, with a
// pointer that rests there.
{
  const note = (what) => performance.mark(`heard ${what}`);
  const heard = {}; // kinds of events, and how many of each

  window.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      this.addEventListener("message", ({ data }) => {
        const { kind, events } = JSON.parse(data);
        for (const one of events ?? []) heard[one.kind] = (heard[one.kind] ?? 0) + 1;
        note(events?.length ? `${kind} ${[...new Set(events.map((one) => one.kind))].join("+")}` : kind);
      });
    }
  };
  for (const kind of ["click", "keydown"]) addEventListener(kind, () => note(kind), { capture: true });

  const named = (node) => {
    const element = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
    if (!element) return "something that is gone";
    const kind = String(element.className?.baseVal ?? element.className).replace(/ ?svelte-\w+/g, "").trim();
    const text = (element.ariaLabel ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `${element.tagName.toLowerCase()}${kind && `.${kind.replace(/ +/g, ".")}`} “${text}”`;
  };
  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");

  window.watched = {
    from(x, y) {
      for (const kind in heard) delete heard[kind];
      this.seen = { shifts: [], under: [], score: 0, heard };
      const seen = this.seen;
      const over = (rect) => x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
      const began = performance.now();
      new PerformanceObserver((list) => {
        for (const { value, startTime, sources } of list.getEntries()) {
          seen.score += value;
          for (const { node, previousRect, currentRect } of sources) {
            const moved = `${named(node)}: ${box(previousRect)} → ${box(currentRect)}`;
            seen.shifts.push(moved);
            if (over(previousRect) || over(currentRect)) seen.under.push({ at: startTime - began, what: moved });
          }
        }
      }).observe({ type: "layout-shift" });
      let before = null;
      const look = () => {
        const there = document.elementFromPoint(x, y);
        const button = there?.closest("button") ?? there;
        const rect = button?.getBoundingClientRect();
        const now = button && `${named(button)} at ${box(rect)}`;
        if (before !== null && now !== before.now && !(button === before.button && before.rect === box(rect)))
          seen.under.push({ at: performance.now() - began, what: `${before.now} became ${now}` });
        before = { now, button, rect: rect && box(rect) };
        requestAnimationFrame(look);
      };
      look();
    },
  };
}
