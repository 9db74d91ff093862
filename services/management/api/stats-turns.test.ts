import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { newId } from "#libs/domain/ids.ts";
import { inStatsTurn } from "./stats-turns.ts";

const { db } = await createTestDatabase();
const WANTED = { closed: false };

it("lets sixteen counts of an owner wait, and refuses more of this owner alone", async () => {
  const workspaceId = newId("workspace");
  const gate = Promise.withResolvers<void>();
  const counts = Array.from({ length: 18 }, () => inStatsTurn(db, workspaceId, WANTED, () => gate.promise));

  const first = await Promise.race(counts.map((count) => count.catch((error: unknown) => error)));
  expect(first).toMatchObject({ status: 429 });
  expect(await inStatsTurn(db, newId("workspace"), WANTED, async () => "counted")).toBe("counted");
  gate.resolve();
  const settled = await Promise.allSettled(counts);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(17);
});

it("begins nothing that nobody waits for any more", async () => {
  let begun = false;
  const count = async () => {
    begun = true;
  };

  await expect(inStatsTurn(db, newId("workspace"), { closed: true }, count)).rejects.toMatchObject({
    status: 503,
  });
  expect(begun).toBe(false);
});
