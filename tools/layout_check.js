// What is wrong with the page as it stands, as a list of sentences; run in the browser by tools/web_layout.py.
// 1. text over text, 2. an element wider than its parent, 3. text that is cut without an ellipsis and a title,
// 4. a long word broken over two lines, 5. a hint in a field that is longer than the field,
// 6. a value that was never put into words, 7. a choice whose words are longer than its field.
() => {
  const found = new Set();
  const SLACK = 1.5;
  const dialog = document.querySelector("dialog[open]");
  const root = dialog ?? document.querySelector("#app");
  /** Asked once of each element: thousands of them are asked for by each other. */
  const once = (tell) => {
    const told = new Map();
    return (element) => told.get(element) ?? (told.set(element, tell(element)), told.get(element));
  };
  const css = once((element) => getComputedStyle(element));
  const place = once((element) => element.getBoundingClientRect());
  const aside = once(
    (element) =>
      element.matches(".sr, [hidden], svg, .drawings, [role=tooltip]") ||
      (element.parentElement !== null && aside(element.parentElement)),
  );
  const hidden = once(
    (element) => aside(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  const named = (element) => {
    const text = (element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    const path = [];
    for (let one = element; one && one !== root && path.length < 3; one = one.parentElement)
      path.unshift(`${one.tagName.toLowerCase()}.${String(one.className?.baseVal ?? one.className).replace(/ ?svelte-\w+/g, "").trim().replace(/ /g, ".")}`);
    return `${path.join(" > ")} "${text}"`;
  };
  const both = (one, other) => ({
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  });
  /** What an element and the scrolling or cutting ones around it let be seen. */
  const pane = once((element) => {
    const { overflowX, overflowY, position } = css(element);
    const around =
      position === "fixed" || element.parentElement === document.documentElement || !element.parentElement
        ? { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity }
        : pane(element.parentElement);
    return overflowX !== "visible" || overflowY !== "visible" ? both(around, place(element)) : around;
  });
  const visible = (box, element) => {
    if (box.bottom <= 0 && scrollY === 0) return null; // links that come down when they have the focus
    const seen = both(box, pane(element));
    return seen.right - seen.left > SLACK && seen.bottom - seen.top > SLACK ? seen : null;
  };
  /** What stays where it is while the rest is scrolled under it. */
  const bar = once((element) =>
    ["sticky", "fixed"].includes(css(element).position)
      ? element
      : element === root || !element.parentElement
        ? "none"
        : bar(element.parentElement),
  );

  // 1
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent || hidden(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const seen = visible(box, parent);
      // The line box is taller than the letters: a third of it is air.
      if (seen) texts.push({ node, parent, left: seen.left, right: seen.right,
        top: seen.top + (seen.bottom - seen.top) * 0.17, bottom: seen.bottom - (seen.bottom - seen.top) * 0.17 });
    }
  }
  // 4
  for (const { node, parent } of texts)
    for (const word of node.data.matchAll(/[\p{L}’']{12,}/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1)
        found.add(`a broken word: ${named(parent)}`);
    }

  // 6
  for (const { node, parent } of texts)
    if (/\[object |\bundefined\b|\bNaN\b|[{}]/.test(node.data)) found.add(`without words: ${named(parent)}`);

  texts.sort((one, other) => one.left - other.left);
  texts.forEach((one, n) => {
    for (let m = n + 1; m < texts.length && texts[m].left < one.right - SLACK; m++) {
      const other = texts[m];
      if (one.node === other.node || one.top >= other.bottom - SLACK || other.top >= one.bottom - SLACK) continue;
      if (bar(one.parent) !== bar(other.parent)) continue; // what is scrolled under a bar
      found.add(`text over text: ${named(one.parent)} / ${named(other.parent)}`);
    }
  });

  // 2 and 3
  for (const element of root.querySelectorAll("*")) {
    if (hidden(element) || element === dialog) continue;
    const own = css(element);
    const parent = element.parentElement;
    const inline = own.display === "inline" || own.display === "contents";
    if (parent && !inline && !["absolute", "fixed"].includes(own.position)) {
      let frame = parent;
      while (frame && css(frame).display === "contents") frame = frame.parentElement;
      if (frame && css(frame).display !== "inline") {
        const box = place(element);
        const out = Math.max(box.right - place(frame).right, place(frame).left - box.left);
        const margin = Math.max(0, -parseFloat(own.marginRight), -parseFloat(own.marginLeft));
        const scrolls = ["auto", "scroll"].includes(css(frame).overflowX);
        if (box.width > 0 && out > SLACK + margin && !scrolls) found.add(`wider than its parent by ${Math.round(out)}: ${named(element)}`);
      }
    }
    if (!inline && element.clientWidth > 0 && element.clientHeight > 0) {
      const wide = element.scrollWidth > element.clientWidth + SLACK;
      const tall = element.scrollHeight > element.clientHeight + 3;
      const cutsX = ["hidden", "clip"].includes(own.overflowX);
      const cutsY = ["hidden", "clip"].includes(own.overflowY);
      const says = () => element.closest("[title]") !== null;
      const dots = own.textOverflow === "ellipsis";
      const holds = () => (element.textContent ?? "").trim() !== "";
      if (wide && cutsX && holds() && !(dots && says())) found.add(`cut sideways: ${named(element)}`);
      if (tall && cutsY && holds() && !(dots && says())) found.add(`cut below: ${named(element)}`);
      if (wide && ["auto", "scroll"].includes(own.overflowX) && element.tagName !== "TEXTAREA")
        found.add(`scrolls sideways: ${named(element)}`);
    }
  }
  // 5
  const pen = document.createElement("canvas").getContext("2d");
  for (const field of root.querySelectorAll("input[placeholder], textarea[placeholder]")) {
    if (hidden(field)) continue;
    const own = css(field);
    pen.font = `${own.fontWeight} ${own.fontSize} ${own.fontFamily}`;
    const room = field.clientWidth - parseFloat(own.paddingLeft) - parseFloat(own.paddingRight);
    const rows = field.tagName === "TEXTAREA" ? field.rows : 1;
    if (pen.measureText(field.placeholder).width > room * rows + SLACK) found.add(`a cut hint: ${field.placeholder}`);
  }
  // 7
  for (const field of root.querySelectorAll("select")) {
    if (hidden(field)) continue;
    const own = css(field);
    pen.font = `${own.fontWeight} ${own.fontSize} ${own.fontFamily}`;
    const arrow = own.appearance === "none" ? 0 : 16;
    const room = field.clientWidth - parseFloat(own.paddingLeft) - parseFloat(own.paddingRight) - arrow;
    const chosen = field.selectedOptions[0]?.text.trim() ?? "";
    if (pen.measureText(chosen).width > room + SLACK) found.add(`a cut choice: ${chosen}`);
  }
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.add("the page scrolls sideways");
  return [...found];
}
