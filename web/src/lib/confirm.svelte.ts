// One question at a time, before something that cannot be taken back.

export interface Question {
  title: string;
  text?: string;
  yes: string;
  tone?: "pri" | "danger";
}

let asked = $state.raw<(Question & { answer(yes: boolean): void }) | null>(null);

export function question(): (Question & { answer(yes: boolean): void }) | null {
  return asked;
}

export function confirm(what: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    asked = {
      ...what,
      answer: (yes) => {
        asked = null;
        resolve(yes);
      },
    };
  });
}
