import { expect, it } from "vitest";
import { once } from "./once.ts";

it("makes a thing once, also for those who ask at the same time", async () => {
  let made = 0;
  const ask = once(async () => ++made);

  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(1);
});

it("tries again what has failed", async () => {
  let tried = 0;
  const ask = once(async () => {
    tried += 1;
    if (tried === 1) throw new Error("not yet");
    return tried;
  });

  await expect(ask()).rejects.toThrow("not yet");

  expect(await ask()).toBe(2);
});
