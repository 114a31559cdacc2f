// Short tones made by the browser itself; silent unless somebody asked for sound.
import { prefs } from "./prefs.svelte";

export type Tone = "move" | "offer" | "phase" | "deal";

const NOTES: Record<Tone, readonly [pitch: number, after: number][]> = {
  move: [
    [660, 0],
    [880, 0.12],
  ],
  offer: [[740, 0]],
  phase: [
    [440, 0],
    [554, 0.1],
    [659, 0.2],
  ],
  deal: [
    [523, 0],
    [784, 0.09],
  ],
};

let context: AudioContext | undefined;

export function play(tone: Tone): void {
  if (!prefs.sound || typeof AudioContext === "undefined") return;
  try {
    context ??= new AudioContext();
    // One that began before anybody touched the page waits until it is told again.
    if (context.state === "suspended") void context.resume();
    const now = context.currentTime;
    for (const [pitch, after] of NOTES[tone]) note(context, pitch, now + after);
  } catch {
    // A browser that will not sound stays silent.
  }
}

function note(context: AudioContext, pitch: number, at: number): void {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = "sine";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.12, at + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0005, at + 0.32);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.34);
}
