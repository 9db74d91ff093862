import { expect, it } from "vitest";
import { QueuesByKey } from "./queues-by-key.ts";

it("lets the work of a key wait for its own, and for no other key's", async () => {
  const queues = new QueuesByKey({ atOnce: 1, limit: { mostWaiting: 1, refusal: () => new Error("busy") } });
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const began: string[] = [];
  const run = (key: string, name: string) => queues.run(key, async () => void began.push(name));
  const first = queues.run("a", () => held);
  const second = run("a", "second of a");

  await run("b", "first of b");
  await expect(run("a", "third of a")).rejects.toThrow("busy");
  end();
  await Promise.all([first, second]);
  await run("a", "fourth of a");

  expect(began).toEqual(["first of b", "second of a", "fourth of a"]);
});
