import { expect, it } from "vitest";
import { createSharedPlaces } from "./shared-places.ts";

/** Starts work of the parties at once, and tells in which order it begins when each piece ends as the next is looked for. */
async function order(places: number, parties: readonly string[]) {
  const inTurn = createSharedPlaces(places);
  const begun: string[] = [];
  let most = 0;
  let now = 0;
  await Promise.all(
    parties.map((party) =>
      inTurn(party, async () => {
        begun.push(party);
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
      }),
    ),
  );
  return { begun, most };
}

it("runs as many at a time as there are places", async () => {
  expect((await order(3, Array(10).fill("a"))).most).toBe(3);
  expect((await order(3, ["a", "b"])).most).toBe(2);
});

it("gives parties turns, each in the order of its calls", async () => {
  const { begun } = await order(1, ["a1", "a1", "a1", "b1", "b1", "c1"]);

  expect(begun).toEqual(["a1", "a1", "b1", "c1", "a1", "b1"]);
});

it("answers what the work does, and frees the place of work that fails", async () => {
  const inTurn = createSharedPlaces(1);
  const fail = () => inTurn("a", () => Promise.reject(new Error("No.")));

  await expect(Promise.all([fail(), fail()])).rejects.toThrow("No.");
  expect(await inTurn("b", async () => 7)).toBe(7);
});
