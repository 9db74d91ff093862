import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { bringForward, enqueue } from "./enqueue.ts";

const { db, pool } = await createTestDatabase();

it("brings a job forward that has been due for a minute for each of its party's before it", async () => {
  const charge = (subscriptionId: string, workspaceId: string, secondsAgo: number) =>
    enqueue(
      db,
      "settle-charging",
      { subscriptionId, workspaceId },
      { runAt: new Date(Date.now() - secondsAgo * 1_000) },
    );
  for (const subscriptionId of ["first", "second", "third"]) await charge(subscriptionId, "ws_many", 90);
  await charge("other", "ws_other", 0);

  await bringForward(db);

  const { rows } = await pool.query<{ key: string }>(
    "select key from graphile_worker.jobs order by priority, run_at, id",
  );
  expect(rows.map(({ key }) => key.replace("settle-charging:", ""))).toEqual([
    "first",
    "second",
    "other",
    "third",
  ]);
});
