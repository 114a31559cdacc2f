// The one place for the next act: the step that asks something says here what can be done now, and the bar does it.
import { createContext, type Snippet } from "svelte";

export interface Act {
  text: string;
  icon?: string;
  look?: "pri" | "plain" | "danger";
  why?: string | null; // what stands in the way
  busy?: boolean;
  run: () => void;
  /** Stands left of it; with `says` it takes the place of the words. */
  second?: { text: string; says?: string; look?: "pri"; busy?: boolean; run: () => void };
  says?: string; // what is asked, in a few words
  note?: string;
}

export class Bar {
  act = $state.raw<Act | null>(null);
  /** What the button would do, in sums. */
  sums = $state.raw<Snippet | null>(null);

  /** What can be done as long as the component that says so is shown. */
  offer(act: () => Act | null, sums?: Snippet): void {
    $effect(() => {
      this.act = act();
    });
    $effect(() => {
      this.sums = sums ?? null;
      return () => {
        this.act = null;
        this.sums = null;
      };
    });
  }
}

export const [useBar, setBar] = createContext<Bar>();
