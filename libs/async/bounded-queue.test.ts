import { expect, it } from "vitest";
import { BoundedQueue } from "./bounded-queue.ts";

/** Work that ends when the test says so. */
function heldWork() {
  const ends: (() => void)[] = [];
  const began: string[] = [];
  const work = (name: string) => async () => {
    began.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  return { work, began, endNext: () => ends.shift()?.() };
}

function aQueue() {
  return new BoundedQueue({ atOnce: 2, limit: { mostWaiting: 2, refusal: () => new Error("busy") } });
}

it("runs two at a time, in the order of arrival, and refuses what no place is left for", async () => {
  const queue = aQueue();
  const { work, began, endNext } = heldWork();

  const accepted = ["a", "b", "c", "d"].map((name) => queue.run(work(name)));
  await expect(queue.run(work("e"))).rejects.toThrow("busy");
  const atFirst = [...began];
  endNext();
  await accepted[0];
  await expect.poll(() => began).toEqual(["a", "b", "c"]);
  const late = queue.run(work("f"));
  for (const _ of accepted) {
    endNext();
    await expect.poll(() => began.length).toBeGreaterThan(3);
  }
  endNext();

  expect(atFirst).toEqual(["a", "b"]);
  expect(await Promise.all([...accepted, late])).toEqual(["a", "b", "c", "d", "f"]);
  expect(began).toEqual(["a", "b", "c", "d", "f"]);
});

it("gives the place of failed work to the next", async () => {
  const queue = aQueue();
  const fail = () => queue.run(async () => Promise.reject(new Error("failed")));

  const outcomes = await Promise.allSettled([fail(), fail(), queue.run(async () => "done")]);

  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});
