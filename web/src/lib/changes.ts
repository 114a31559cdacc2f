// Laying the changes of an update into the last whole view, as docs/server.md says.

type Fields = Record<string, unknown>;

const ENTRIES = new Set(["cards", "spent", "deals", "obligations"]);

/** A new whole with the changes laid in; parts that did not change stay the same objects. */
export function layIn<Whole extends object>(whole: Whole, changes: Fields): Whole {
  const laid: Fields = { ...(whole as Fields) };
  for (const [field, value] of Object.entries(changes)) {
    if (field === "players") laid[field] = players(laid[field] as object[], value as Record<string, Fields>);
    else if (ENTRIES.has(field)) laid[field] = entries(laid[field] as Fields, value as Fields);
    else laid[field] = value;
  }
  return laid as Whole;
}

function players(before: object[], changes: Record<string, Fields>): object[] {
  return before.map((player, seat) => (changes[seat] ? layIn(player, changes[seat]) : player));
}

function entries(before: Fields, changes: Fields): Fields {
  const merged = { ...before, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
