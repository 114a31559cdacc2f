// Web push in this browser: asked for, subscribed with the server's key, and ended.
import { get } from "~/lib/api";
import type { Subscription } from "~/wire";

export function possible(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** Ask the browser; null when somebody says no. */
export async function subscribe(): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { key } = await get<{ key: string }>("push");
  const worker = await navigator.serviceWorker.register("/notices.js");
  await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = made.toJSON();
  return { endpoint: endpoint!, p256dh: keys!.p256dh!, auth: keys!.auth! };
}

export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

export function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const raw = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
}
