import { expect, it, onTestFinished } from "vitest";
import { workspace } from "#libs/contract/workspaces.ts";
import { webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier, type Publisher } from "../tests/story.ts";

const LONG = { timeout: 80_000 };

const service = await startManagement({ unlimited: true });
const { pool } = service.database;

/** Deletes what a person owns, in that order. */
async function remove({ caller }: Publisher["person"], ...deleted: readonly { id: string; name: string }[]) {
  for (const { id, name } of deleted) {
    await caller.request("DELETE", `/v1/workspaces/${id}`, { name, refund: false });
  }
}

/** The deleted workspaces among these, in the order in which their deletion ended. */
async function ended(ids: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from erased_workspaces where id = any($1) order by erased_at, ctid",
    [ids],
  );
  return rows.map(({ id }) => id);
}

it("works on the deletion of another person before the second of one who deletes many", async () => {
  const many = await aPublisher(service, "Many Weekly");
  const more = [];
  for (let n = 1; n <= 7; n += 1) {
    const { id, name } = await many.person.caller.ok(workspace, "POST", "/v1/workspaces", {
      name: `More ${n}`,
    });
    await aField({ ...many, caller: many.person.caller, path: `/v1/workspaces/${id}` });
    more.push({ id, name });
  }
  const other = await aPublisher(service, "Other Weekly");
  const holding = await pool.connect();
  onTestFinished(() => holding.release());
  await holding.query("begin");
  await holding.query("select from fields where workspace_id = any($1) for update", [
    more.map(({ id }) => id),
  ]);

  const running = async () =>
    (
      await pool.query(
        "select from graphile_worker.jobs where task_identifier = 'erase-workspace' and locked_at is not null",
      )
    ).rowCount;
  await remove(many.person, ...more.slice(0, 4));
  // All places are taken.
  await expect.poll(running).toBe(3);
  await remove(many.person, ...more.slice(4));
  await remove(other.person, other.workspace);
  await holding.query("commit");

  const ids = [...more, other.workspace].map(({ id }) => id);
  await expect.poll(async () => (await ended(ids)).length, LONG).toBe(8);
  // After those that held the places, and at most two that were taken with it.
  expect((await ended(ids)).indexOf(other.workspace.id)).toBeLessThan(6);
});

it("lets others have their turn while a workspace with many subscriptions is deleted", async () => {
  const large = await aPublisher(service, "Large Weekly");
  const { prices } = await aTier(large, {
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  for (let n = 1; n <= 21; n += 1) {
    await aPaidCheckout(service, large, prices[0]?.id ?? "");
    await webhooksApplied(service);
  }
  const small = await aPublisher(service, "Small Weekly");
  const holding = await pool.connect();
  onTestFinished(() => holding.release());
  await holding.query("begin");
  // The last that is canceled: its row can't go, so the deletion can't end.
  await holding.query(
    "select from subscriptions where workspace_id = $1 order by id desc limit 1 for key share",
    [large.workspace.id],
  );

  await remove(large.person, large.workspace);
  await remove(small.person, small.workspace);

  await expect.poll(() => ended([small.workspace.id]), LONG).toEqual([small.workspace.id]);
  await holding.query("commit");
  await expect.poll(() => ended([large.workspace.id]), LONG).toEqual([large.workspace.id]);
});
