// The screen stays on while a table is looked at, if somebody wants that: by the browser's own lock, or, over plain
// HTTP where there is none, by a small silent film of our own that runs without end.

let film: HTMLVideoElement | undefined;

export const canLock = () => "wakeLock" in navigator;

/** Keep the screen on until the returned function is called. */
export function keepAwake(): () => void {
  return canLock() ? byLock() : byFilm();
}

function byLock(): () => void {
  let lock: WakeLockSentinel | undefined;
  let over = false;
  const ask = async () => {
    if (document.visibilityState !== "visible" || over) return;
    lock = await navigator.wakeLock.request("screen").catch(() => undefined); // a low battery may say no
    if (over) void lock?.release();
  };
  void ask();
  document.addEventListener("visibilitychange", ask); // a hidden page has lost it
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", ask);
    void lock?.release();
  };
}

/** A film may only begin once somebody has touched the page; a touch that did not begin it leaves it to the next. */
function byFilm(): () => void {
  const begin = () => {
    film ??= make();
    document.body.append(film);
    void film.play().then(
      () => removeEventListener("pointerdown", begin),
      () => {},
    );
  };
  const again = () => document.visibilityState === "visible" && film?.isConnected && void film.play().catch(() => {});
  addEventListener("pointerdown", begin);
  document.addEventListener("visibilitychange", again);
  return () => {
    removeEventListener("pointerdown", begin);
    document.removeEventListener("visibilitychange", again);
    film?.pause();
    film?.remove();
  };
}

function make(): HTMLVideoElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2;
  const paint = canvas.getContext("2d");
  let n = 0;
  setInterval(() => paint?.fillRect(0, 0, 1 + (n = 1 - n), 1), 1000); // a picture that never changes is no film
  const video = document.createElement("video");
  video.srcObject = canvas.captureStream(1);
  video.muted = video.loop = true;
  video.setAttribute("playsinline", "");
  video.setAttribute("aria-hidden", "true");
  video.className = "sr";
  return video;
}
