import { sql } from "kysely";
import { expect, it } from "vitest";
import { queueDueRefunds } from "../billing/reconciliation/queries.ts";
import { startManagement } from "../tests/management.ts";
import { DAY_HOURS, paidAds, WEEKLY } from "../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../tests/sandbox-clock.ts";
import { aPublisher } from "../tests/story.ts";
import { beginErasure, lockForErasure, resumeErasures } from "./erase-workspace.ts";

/** Until a week has ended, and another was charged. */
const HOURS = 7 * DAY_HOURS + 2;
const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);
const { db, pool } = service.database;
const { stripe } = service.processor;

it.each([false, true])(
  "refunds what was charged before the job of a deletion had begun, which refunds: %s",
  async (refunds) => {
    const publisher = await aPublisher(service);
    const { id: workspaceId } = publisher.workspace;
    const bought = await ads.aRunningAd(publisher, CARDS.sound, WEEKLY);
    await becomes(publisher, bought, "Active");
    await ads.jobsDone();
    const subscription = await ads.subscriptionOf(bought);
    // The job waits for its turn.
    await db.transaction().execute(async (trx) => {
      const workspace = await lockForErasure(trx, workspaceId);
      if (workspace === undefined) throw new Error("there is no workspace");
      // On the processor's clock this is now, once that has moved.
      await beginErasure(trx, workspace, new Date(Date.now() - HOURS * 3_600_000), refunds);
      await sql`select graphile_worker.remove_job(${`erase-workspace:${workspaceId}`})`.execute(trx);
    });

    const before = (await stripe.refunds.list({})).data.length;
    await clock.passes(service, HOURS);
    await expect
      .poll(async () => (await stripe.subscriptions.retrieve(subscription)).status, { timeout: 20_000 })
      .toBe("canceled");
    await queueDueRefunds(db);
    await ads.jobsDone();
    await resumeErasures(db, new Date());
    await expect
      .poll(async () => (await pool.query("select from workspaces where id = $1", [workspaceId])).rowCount, {
        timeout: 20_000,
      })
      .toBe(0);

    const { data } = await stripe.refunds.list({});
    const made = data.map(({ amount }) => amount).slice(0, data.length - before);
    // The first week had hardly begun.
    expect(made).toHaveLength(refunds ? 2 : 1);
    for (const amount of made) expect(amount).toBeGreaterThan(6_990);
  },
);
