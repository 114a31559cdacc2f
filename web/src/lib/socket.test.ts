import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FromServer } from "~/wire";
import { Connection, newId, type Gone, type Link } from "./socket";

/** The far end of a connection, driven by the test. */
class Line {
  static all: Line[] = [];
  sent: Record<string, unknown>[] = [];
  onmessage: ((frame: { data: string }) => void) | null = null;
  onclose: ((close: { code: number }) => void) | null = null;
  constructor(readonly url: string) {
    Line.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {}
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  drop(code = 1006) {
    this.onclose?.({ code });
  }
}

const welcome = { kind: "welcome", n: 5 };

function start(refused?: () => Promise<Gone | null>) {
  const heard: FromServer[] = [];
  const links: (Link | Gone)[] = [];
  let since: number | null = null;
  const connection = new Connection(
    (n) => `socket?since=${n}`,
    {
      message: (message) => {
        heard.push(message);
        if ("n" in message) since = message.n;
      },
      link: (link, gone) => links.push(gone ?? link),
      since: () => since,
      refused,
    },
    (url) => new Line(url) as unknown as WebSocket,
  );
  connection.connect();
  return { connection, heard, links };
}

const last = () => Line.all.at(-1)!;

describe("a connection", () => {
  beforeEach(() => {
    Line.all = [];
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  it("sends nothing before it is welcomed, and then everything", () => {
    const { connection } = start();
    connection.send({ kind: "talk", id: "aaaaaaaa", text: "hello" });
    expect(last().sent).toEqual([]);
    last().say(welcome);
    expect(last().sent.map((message) => message.id)).toEqual(["aaaaaaaa"]);
  });

  it("comes back with the last line it has", () => {
    start();
    expect(last().url).toBe("socket?since=null");
    last().say(welcome);
    last().drop();
    vi.advanceTimersByTime(10_000);
    expect(Line.all).toHaveLength(2);
    expect(last().url).toBe("socket?since=5");
  });

  it("sends again what was not answered, with the same id, and not what was", () => {
    const { connection } = start();
    last().say(welcome);
    connection.send({ kind: "talk", id: "aaaaaaaa", text: "one" });
    connection.send({ kind: "talk", id: "bbbbbbbb", text: "two" });
    last().say({ kind: "accepted", id: "aaaaaaaa", n: 6 });
    last().drop();
    vi.advanceTimersByTime(10_000);
    last().say({ ...welcome, n: 6 });
    expect(last().sent.map((message) => message.id)).toEqual(["bbbbbbbb"]);
    expect(connection.waiting).toBe(1);
  });

  it("is given up at once when the network is gone, and sends again what was not answered", () => {
    const { connection, links } = start();
    last().say(welcome);
    connection.send({ kind: "talk", id: "aaaaaaaa", text: "hello" });
    const gone = last();
    connection.drop();
    connection.drop();
    gone.drop();
    expect(links).toEqual(["connecting", "open", "lost"]);
    connection.nudge();
    expect(Line.all).toHaveLength(2);
    last().say(welcome);
    expect(last().sent.map(({ id }) => id)).toEqual(["aaaaaaaa"]);
  });

  it("waits longer after every failure and not at all when nudged", () => {
    const { connection } = start();
    for (const wait of [500, 1000, 2000]) {
      last().drop();
      const before = Line.all.length;
      vi.advanceTimersByTime(wait / 2);
      expect(Line.all).toHaveLength(before);
      vi.advanceTimersByTime(wait);
      expect(Line.all).toHaveLength(before + 1);
    }
    last().drop();
    const before = Line.all.length;
    connection.nudge();
    expect(Line.all).toHaveLength(before + 1);
  });

  it("ends for good when the server says so", () => {
    const { links } = start();
    last().say(welcome);
    last().drop(4403);
    vi.advanceTimersByTime(60_000);
    expect(Line.all).toHaveLength(1);
    expect(links.at(-1)).toBe("removed");
  });

  it("asks what is wrong when it is refused again and again", async () => {
    const { links } = start(() => Promise.resolve("no_such_table"));
    for (let n = 0; n < 3; n++) {
      last().drop();
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(Line.all).toHaveLength(3);
    expect(links.at(-1)).toBe("no_such_table");
  });

  it("makes ids the server takes", () => {
    expect(newId()).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(newId()).not.toBe(newId());
  });
});
