import { expect, it, vi } from "vitest";
import { createQueryTurns } from "./turns.ts";

it("has one query of an owner under way, and four in all", async () => {
  const gate = Promise.withResolvers<void>();
  const asked: string[] = [];
  const of = createQueryTurns({
    reportCounts: async () => [],
    firstCounted: async (workspaceId) => {
      asked.push(workspaceId);
      await gate.promise;
      return null;
    },
  });
  const owners = ["a", "a", "b", "c", "d", "e"];

  const answers = owners.map((owner, n) => of(owner).firstCounted(`${owner}${n}`, 0));

  await vi.waitFor(() => expect(asked).toHaveLength(4));
  gate.resolve();
  await Promise.all(answers);
  expect(asked.slice(0, 4)).toEqual(["a0", "b2", "c3", "d4"]);
  expect(asked).toHaveLength(owners.length);
});
