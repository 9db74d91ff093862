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

it("puts letters about nothing else, and those of another workspace, before the many of one", async () => {
  const letter = (id: string, workspaceId?: string) =>
    enqueue(
      db,
      "mail",
      {
        id,
        to: "reader@example.com",
        subject: "News",
        text: "",
        ...(workspaceId === undefined
          ? {}
          : { about: { workspaceId, recipient: "advertiser", kind: "report" } }),
      },
      { runAt },
    );
  for (const id of ["first", "second", "third"]) await letter(id, "ws_one");
  await letter("password");
  await letter("other", "ws_other");

  const { rows } = await pool.query<{ letter: string }>(
    "select payload ->> 'id' as letter from graphile_worker._private_jobs where payload -> 'subject' is not null order by priority, run_at, id",
  );
  expect(rows.map((row) => row.letter)).toEqual(["first", "password", "other", "second", "third"]);
});
