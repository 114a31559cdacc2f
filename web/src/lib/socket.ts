// One connection to a table: it comes back by itself, and sends again what was not answered.
import type { FromClient, FromServer } from "~/wire";

/** Why a connection ended for good. */
export type Gone = "key_ended" | "removed" | "no_such_table" | "old_page";

export type Link = "connecting" | "open" | "lost" | "gone";

const FOR_GOOD: Record<number, Gone> = { 4401: "key_ended", 4403: "removed", 4404: "no_such_table", 4426: "old_page" };
/** Backoff between two attempts, doubled each time, with a random part so that not all come back at once. */
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
/** A connection that never opened this often is looked into: the table may be gone, or not for us. */
const SUSPICIOUS = 3;

export interface Listener {
  message(message: FromServer): void;
  link(link: Link, gone?: Gone): void;
  /** The last line the client has; null: it has nothing. */
  since(): number | null;
  /** The socket was refused several times: is there anything to come back to? */
  refused?(): Promise<Gone | null>;
}

export type Open = (url: string) => WebSocket;

type Sent = FromClient & { id: string };

export class Connection {
  #socket: WebSocket | null = null;
  #pending = new Map<string, Sent>();
  #welcomed = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(
    private readonly url: (since: number | null) => string,
    private readonly listener: Listener,
    private readonly open: Open = (url) => new WebSocket(url),
  ) {}

  /** Begin, also again after an end. */
  start(): void {
    this.#ended = false;
    this.#failures = 0;
    this.connect();
  }

  connect(): void {
    if (this.#ended || this.#socket) return;
    clearTimeout(this.#timer);
    this.listener.link(this.#failures ? "lost" : "connecting");
    const socket = this.open(this.url(this.listener.since()));
    this.#socket = socket;
    this.#welcomed = false;
    socket.onmessage = (frame) => this.#socket === socket && this.#hear(JSON.parse(String(frame.data)) as FromServer);
    socket.onclose = (close) => this.#closed(socket, close.code);
  }

  /** Try at once instead of waiting: the network is back, or the page is looked at again. */
  nudge(): void {
    if (!this.#socket) this.connect();
  }

  /** The network is gone: what was a connection would only notice much later. */
  drop(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#closed(socket, 1006);
    socket.close();
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    this.#welcomed = false;
    socket?.close(1000);
  }

  /** Send now, or as soon as there is a connection; kept until it is answered. */
  send(message: Sent): void {
    this.#pending.set(message.id, message);
    if (this.#welcomed) this.#socket?.send(JSON.stringify(message));
  }

  get waiting(): number {
    return this.#pending.size;
  }

  #hear(message: FromServer): void {
    if ("id" in message && message.id !== null) this.#pending.delete(message.id);
    this.listener.message(message);
    if (message.kind !== "welcome") return;
    this.#welcomed = true;
    this.#failures = 0;
    this.listener.link("open");
    for (const unanswered of this.#pending.values()) this.#socket?.send(JSON.stringify(unanswered));
  }

  #closed(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return;
    this.#socket = null;
    const gone = FOR_GOOD[code];
    if (gone) return this.#end(gone);
    const opened = this.#welcomed;
    this.#welcomed = false;
    this.#failures += 1;
    this.listener.link("lost");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.#failures - 1)) * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => void this.#again(opened), wait);
  }

  async #again(opened: boolean): Promise<void> {
    if (!opened && this.#failures % SUSPICIOUS === 0 && this.listener.refused) {
      const gone = await this.listener.refused();
      if (gone) return this.#end(gone);
    }
    this.connect();
  }

  #end(gone: Gone): void {
    this.#ended = true;
    this.listener.link("gone", gone);
  }
}

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** A fresh id for a wish. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => SIGNS[n & 63]).join("");
}
