// How ratings went, evening by evening: a line for each of some people, and how sure each moment of it was.
import type { GroupPerson, Place, RatingMoment } from "~/wire";

/** More lines than these cannot be told apart. */
export const MOST = 8;

export interface Course {
  person: string;
  name: string;
  places: { n: number; place: Place }[]; // n: which moment
}

/** Those with a rating, the best first, and oneself; whoever came later begins later. */
export function courses(moments: readonly RatingMoment[], people: readonly GroupPerson[], you: string): Course[] {
  const rated = people.filter((one) => one.place);
  const last = rated.findIndex((one) => one.person === you);
  const shown = last < MOST ? rated.slice(0, MOST) : [...rated.slice(0, MOST - 1), rated[last]!];
  return shown.map(line);

  function line({ person, name }: GroupPerson): Course {
    const places = moments.flatMap(({ places }, n) => (places[person] ? [{ n, place: places[person] }] : []));
    return { person, name, places };
  }
}

/** The first two people of whom nobody can say yet who is better. */
export function tooClose(people: readonly GroupPerson[]): [string, string] | null {
  const [first, second] = people.filter((one) => one.place?.ranked);
  return first?.place && second?.place && first.place.low <= second.place.high ? [first.name, second.name] : null;
}
