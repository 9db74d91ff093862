import { expect, it } from "vitest";
import { FairPlaces } from "./fair-places.ts";

/** Four places, and work in them that ends when the test says so. */
function aHall() {
  const places = new FairPlaces<string>(4, {
    overShare: () => new Error("over the share"),
    full: () => new Error("full"),
  });
  const ends: (() => void)[] = [];
  const take = (caller: string, count?: number) => {
    const begin = () => new Promise<string>((resolve) => ends.push(() => resolve(caller)));
    const work = places.run(caller, begin, count);
    return Promise.race([work, Promise.resolve("works")]).catch(({ message }: Error) => message);
  };
  return { take, endFirst: () => ends.shift()?.() };
}

it("leaves a caller as many places as all others may still have", async () => {
  const { take } = aHall();

  const answers = [];
  for (const caller of ["a", "a", "a", "b", "b", "c", "d"]) answers.push(await take(caller));

  expect(answers).toEqual(["works", "works", "over the share", "works", "over the share", "works", "full"]);
});

it("gives a place that was left to whoever comes next", async () => {
  const { take, endFirst } = aHall();
  await take("a");
  await take("a");

  endFirst();
  await Promise.resolve();

  await expect.poll(() => take("a")).toBe("works");
});

it("gives work that takes several places all of them or none", async () => {
  const { take, endFirst } = aHall();

  const answers = [];
  for (const caller of ["a", "a", "b", "c"]) answers.push(await take(caller, 2));
  endFirst();

  expect(answers).toEqual(["works", "over the share", "works", "full"]);
  await expect.poll(() => take("c", 2)).toBe("works");
});
