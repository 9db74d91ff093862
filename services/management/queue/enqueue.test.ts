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

/** Marks a job as taken by a worker, as the runner does. */
async function take(key: string): Promise<void> {
  await pool.query(
    "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker', attempts = attempts + 1 where key = $1",
    [key],
  );
}

/** A job that ran and was refused, and waits for its next attempt. */
async function refuse(key: string): Promise<void> {
  await take(key);
  await pool.query(
    "update graphile_worker._private_jobs set locked_at = null, locked_by = null where key = $1",
    [key],
  );
}

async function only(...names: string[]): Promise<string[]> {
  return (await order()).filter((key) => names.includes(key));
}

async function twoCharges(workspaceId: string): Promise<void> {
  for (const subscriptionId of [`${workspaceId}_a`, `${workspaceId}_b`]) {
    await enqueue(db, "settle-charging", { subscriptionId, workspaceId }, { runAt });
  }
}

it("lets a job of several turns come before the second of somebody else only once", async () => {
  const closing = { workspaceId: "ws_closing" };
  const again = () => enqueue(db, "close-checkouts", closing, { runAt: new Date(runAt.getTime() - 1) });
  const keys = ["close-checkouts:ws_closing", "settle-charging:ws_turns_b"];
  await again();
  await twoCharges("ws_turns");
  expect(await only(...keys)).toEqual(keys);

  for (let turns = 1; turns <= 2; turns += 1) {
    await take("close-checkouts:ws_closing");
    // The workspace archives another tier meanwhile, and the job queues its next turn.
    await again();
    await again();
  }

  expect(await only(...keys)).toEqual(keys.toReversed());
});

it("puts a job that failed further back when it is queued again", async () => {
  const again = () =>
    enqueue(db, "close-checkouts", { workspaceId: "ws_refused" }, { runAt: new Date(runAt.getTime() - 1) });
  const keys = ["close-checkouts:ws_refused", "settle-charging:ws_next_b"];
  await again();
  await twoCharges("ws_next");

  for (let times = 1; times <= 2; times += 1) {
    await refuse("close-checkouts:ws_refused");
    await again();
  }

  expect(await only(...keys)).toEqual(keys.toReversed());
});

it("keeps the places of a party's jobs when all of them are queued again", async () => {
  await twoCharges("ws_again");
  await twoCharges("ws_again");
  const later = new Date(runAt.getTime() + 1);
  await enqueue(db, "refund-due", { subscriptionId: "x", workspaceId: "ws_else" }, { runAt: later });

  const keys = ["settle-charging:ws_again_a", "refund-due:x", "settle-charging:ws_again_b"];
  expect(await only(...keys)).toEqual(keys);
});
