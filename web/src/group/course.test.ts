import { describe, expect, it } from "vitest";
import type { GroupPerson, Place, RatingMoment } from "~/wire";
import { courses, MOST, tooClose } from "./course";
import { scaleOf } from "./scale";

const place = (rating: number, reach = 50, ranked = true): Place => ({
  rating,
  low: rating - reach,
  high: rating + reach,
  ranked,
});
const person = (name: string, at: Place | null): GroupPerson => ({ person: name, name, place: at }) as GroupPerson;
const moment = (places: Record<string, Place>): RatingMoment => ({ ended: 0, games: 1, places });

describe("the course of ratings", () => {
  it("has a line for everybody with a rating, which begins when they came", () => {
    const moments = [moment({ a: place(1500) }), moment({ a: place(1520), b: place(1480) })];
    const found = courses(moments, [person("a", place(1520)), person("b", place(1480)), person("c", null)], "c");
    expect(found.map((one) => [one.name, one.places.map(({ n }) => n)])).toEqual([
      ["a", [0, 1]],
      ["b", [1]],
    ]);
  });

  it("leaves room for oneself where there are more than can be told apart", () => {
    const many = Array.from({ length: MOST + 3 }, (_, n) => person(`p${n}`, place(1600 - n)));
    const names = (you: string) => courses([], many, you).map((one) => one.name);
    expect(names("p0")).toEqual(many.slice(0, MOST).map((one) => one.name));
    expect(names("p10")).toEqual([...many.slice(0, MOST - 1).map((one) => one.name), "p10"]);
  });

  it("says of whom nobody can say who is better", () => {
    const [first, close, far] = [person("a", place(1600)), person("b", place(1550)), person("c", place(1300))];
    expect(tooClose([first, close])).toEqual(["a", "b"]);
    expect(tooClose([first, far])).toBeNull();
    expect(tooClose([first, person("d", place(1600, 50, false))])).toBeNull();
  });

  it("stands on a scale of whole hundreds that holds every doubt", () => {
    const scale = scaleOf([place(1500, 333), null, place(1710)]);
    expect([scale.least, scale.most]).toEqual([1100, 1900]);
    expect([scale(1100), scale(1500), scale(1900)]).toEqual([0, 50, 100]);
  });
});
