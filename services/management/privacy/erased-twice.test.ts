import { expect, it, onTestFinished } from "vitest";
import { lockAd } from "../ads/queries.ts";
import { bumpSnapshotVersion } from "../snapshots/publish.ts";
import { startManagement } from "../tests/management.ts";
import { sandboxClock } from "../tests/sandbox-clock.ts";
import { anApprovedAd, aPendingAd, aPublisher } from "../tests/story.ts";
import { resumeErasures } from "./erase-workspace.ts";
import { finishErasure } from "./finish-erasure.ts";

const PAID = 4900;
// The deletions are run by hand, at the same time.
const service = await startManagement({ unlimited: true, webhooks: "by hand", hasJobs: false });
const { pool } = service.database;
const { stripe } = service.processor;

async function countOf(table: "ads" | "workspaces", column: string, id: string): Promise<number> {
  const { rowCount } = await pool.query(`select from ${table} where ${column} = $1`, [id]);
  return rowCount ?? 0;
}

/** How many wait for a lock. */
async function waiting(): Promise<number> {
  const { rowCount } = await pool.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  );
  return rowCount ?? 0;
}

it("refunds each advertiser once while a deletion is worked on twice at a time", async () => {
  const publisher = await aPublisher(service);
  const { id: workspaceId, name } = publisher.workspace;
  for (let n = 1; n <= 2; n += 1) await anApprovedAd({ origin: service.origin }, publisher);
  await sandboxClock().passes(service, 15 * 24);
  await publisher.person.caller.request("DELETE", publisher.path, { name, refund: true });
  const work = () => finishErasure(service.services, service.placements, { workspaceId });
  const holding = await pool.connect();
  onTestFinished(() => holding.release());
  await holding.query("begin");
  // The first one to finish is stopped here, with the ads gone and the subscriptions still there.
  await holding.query("select from checkout_sessions where workspace_id = $1 for update", [workspaceId]);

  const held = service.processor.holdNextAnswer();
  const slow = work();
  await held.given;
  const quick = work();
  await expect.poll(() => countOf("ads", "workspace_id", workspaceId)).toBe(0);
  held.release();
  // Both are stopped there.
  await expect.poll(waiting).toBe(2);
  await holding.query("commit");
  // Where the later one finds the workspace gone, its job is tried again.
  await Promise.allSettled([slow, quick]);
  await work();

  expect(await countOf("workspaces", "id", workspaceId)).toBe(0);
  const { data } = await stripe.refunds.list({});
  for (const { amount } of data) expect(amount).toBeLessThan(0.6 * PAID);
  expect(data).toHaveLength(2);
});

it("queues a deletion again only once nothing works on it", async () => {
  const { person, path, workspace } = await aPublisher(service, "Another Weekly");
  await person.caller.request("DELETE", path, { name: workspace.name, refund: false });
  const setJob = (state: string) =>
    pool.query(
      `update graphile_worker._private_jobs set ${state} where key = 'erase-workspace:${workspace.id}'`,
    );
  const jobs = async () => {
    await resumeErasures(service.database.db, new Date());
    const { rows } = await pool.query<{ attempts: number }>(
      "select attempts from graphile_worker.jobs where key = $1",
      [`erase-workspace:${workspace.id}`],
    );
    return rows.map(({ attempts }) => attempts);
  };

  await setJob("attempts = 1, locked_at = now(), locked_by = 'somebody'");
  expect(await jobs()).toEqual([1]);
  await setJob("attempts = max_attempts, locked_at = null, locked_by = null");
  expect(await jobs()).toEqual([0]);
});

it.each([true, false])(
  "begins a deletion (refunds: %s) and approves an ad at the same time",
  async (refund) => {
    const publisher = await aPublisher(service, "A Third Weekly");
    const { id: workspaceId, name } = publisher.workspace;
    const { id: adId } = await aPendingAd({ origin: service.origin }, publisher);
    const { db } = service.database;
    let deleting: Promise<{ readonly status: number }> | undefined;

    const approving = db.transaction().execute(async (trx) => {
      await lockAd(trx, workspaceId, adId);
      deleting = publisher.person.caller.request("DELETE", publisher.path, { name, refund });
      await expect.poll(waiting).toBe(1);
      await bumpSnapshotVersion(trx, workspaceId);
    });

    await expect(approving).resolves.toBeUndefined();
    expect((await deleting)?.status).toBe(200);
  },
);

it("begins a deletion while something is recorded that refers to one of its subscriptions", async () => {
  const publisher = await aPublisher(service, "A Fourth Weekly");
  const { id: workspaceId, name } = publisher.workspace;
  const { id: adId } = await aPendingAd({ origin: service.origin }, publisher);
  const [holding, recording] = [await pool.connect(), await pool.connect()];
  onTestFinished(() => [holding, recording].forEach((client) => void client.release()));
  await holding.query("begin");
  await holding.query("select from ads where id = $1 for update", [adId]);
  const deleting = publisher.person.caller.request("DELETE", publisher.path, { name, refund: true });
  await expect.poll(waiting).toBe(1);

  await recording.query("begin");
  const recorded = recording.query(
    `insert into checkout_sessions (id, workspace_id, price_id, subscription_id)
     select 'cs_of_a_fourth', workspace_id, price_id, id from subscriptions where workspace_id = $1`,
    [workspaceId],
  );
  await holding.query("commit");

  expect((await recorded).rowCount).toBe(1);
  await recording.query("commit");
  expect((await deleting).status).toBe(200);
});

it.each([true, false])(
  "begins a deletion (refunds: %s) while a change of a subscription is recorded",
  async (refund) => {
    const publisher = await aPublisher(service, "A Fifth Weekly");
    const { id: workspaceId, name } = publisher.workspace;
    const { id: adId } = await aPendingAd({ origin: service.origin }, publisher);
    const changing = await pool.connect();
    onTestFinished(() => void changing.release());
    // As a message of the processor is applied: the subscription, the audit log, which refers to the workspace, then the ad.
    await changing.query("begin");
    await changing.query("select from subscriptions where workspace_id = $1 for update", [workspaceId]);
    await changing.query("select from workspaces where id = $1 for key share", [workspaceId]);
    const deleting = publisher.person.caller.request("DELETE", publisher.path, { name, refund });
    await expect.poll(waiting).toBe(1);

    await changing.query("select from ads where id = $1 for update", [adId]);
    await changing.query("commit");

    expect((await deleting).status).toBe(200);
  },
);
