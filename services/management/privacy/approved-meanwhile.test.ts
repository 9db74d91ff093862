import { expect, it } from "vitest";
import { startManagement } from "../tests/management.ts";
import { aPendingAd, aPublisher } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { pool } = service.database;

/** How many such statements wait for a lock. Jobs may wait as well. */
async function waiting(like: string): Promise<number> {
  const { rows } = await pool.query(
    "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query like $1",
    [like],
  );
  return rows[0]?.waiting;
}
const aDeletion = () => waiting('select "id" from "ads"%');
const anApproval = () => waiting('select %"subscriptions"."awaits_approval"%');

it.each(["key", "person"] as const)(
  "approves no ad by a %s once the deletion of its workspace has begun",
  async (by) => {
    const publisher = await aPublisher(service);
    const pending = await aPendingAd(service, publisher);
    const caller = by === "key" ? publisher.caller : publisher.person.caller;
    const holder = await pool.connect();

    // The processor is away, so that the job cannot complete the deletion.
    await service.processor.while("gone", async () => {
      await holder.query("begin");
      await holder.query("select from ads where id = $1 for update", [pending.id]);
      const confirmation = { name: publisher.workspace.name, refund: true };
      const deletion = publisher.person.caller.request("DELETE", publisher.path, confirmation);
      await expect.poll(aDeletion).toBe(1);
      const approval = caller.request("POST", `${pending.path}/approve`);
      await expect.poll(anApproval).toBeGreaterThan(0);
      await holder.query("commit");
      holder.release();

      expect([(await deletion).status, (await approval).status]).toEqual([200, 404]);
      const { rows } = await pool.query("select status, serving_since from ads where id = $1", [pending.id]);
      expect(rows).toEqual([{ status: "Pending", serving_since: null }]);
    });
  },
);
