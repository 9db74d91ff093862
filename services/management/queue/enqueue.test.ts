import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { enqueue } from "./enqueue.ts";

const { db, pool } = await createTestDatabase();
const runAt = new Date(Date.now() + 3_600_000);

/** The waiting jobs, in the order in which they would be taken. */
async function order(): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    "select key from graphile_worker.jobs order by priority, run_at, id",
  );
  return rows.map(({ key }) => key);
}

it("puts a job that is queued again behind nobody on its own account", async () => {
  const one = { workspaceId: "ws_one", owner: "usr_one" };
  await enqueue(db, "erase-workspace", one, { runAt });
  await enqueue(db, "erase-workspace", one, { runAt });
  await enqueue(
    db,
    "erase-workspace",
    { workspaceId: "ws_other", owner: "usr_other" },
    { runAt: new Date(runAt.getTime() + 1) },
  );

  expect(await order()).toEqual(["erase-workspace:ws_one", "erase-workspace:ws_other"]);
});
