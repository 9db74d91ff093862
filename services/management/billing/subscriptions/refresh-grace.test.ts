import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPendingAd, aPublisher } from "../../tests/story.ts";
import { refreshGrace } from "./refresh-grace.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand", hasJobs: false });
const { pool } = service.database;

/** The jobs that wait, by what they are about. */
async function keysOf(task: string): Promise<string[]> {
  const { rows } = await pool.query(
    "select key from graphile_worker.jobs where task_identifier = $1 order by key",
    [task],
  );
  return rows.map(({ key }) => key);
}

it("stops a hundred unpaid periods at a time, and works through no ad that owes nothing", async () => {
  const publisher = await aPublisher(service);
  const { id: workspaceId } = publisher.workspace;
  const owing = await aPendingAd({ origin: service.origin }, publisher);
  await aPendingAd({ origin: service.origin }, publisher);
  await pool.query("delete from graphile_worker._private_jobs");
  // As many purchases like the first, each of which would be stopped if it were looked at.
  await pool.query(
    `insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status, renewal_failed_at)
      select 'sub_' || lpad(n::text, 26, '0'), workspace_id, advertiser_id, tier_id, price_id, 'sub_of_' || n,
        'PastDue', case when n <= 150 then now() - interval '1 year' end
      from subscriptions, generate_series(1, 200) n
      where id = (select subscription_id from ads where id = $1)`,
    [owing.id],
  );

  await refreshGrace(service.services, { workspaceId });
  const first = await keysOf("settle-charging");
  const { rows } = await pool.query("select payload from graphile_worker._private_jobs where key = $1", [
    `refresh-grace:${workspaceId}`,
  ]);
  await refreshGrace(service.services, rows[0]?.payload);
  const all = await keysOf("settle-charging");

  expect(first).toHaveLength(100);
  expect(rows).toEqual([{ payload: { workspaceId, after: `sub_${"100".padStart(26, "0")}` } }]);
  expect(all).toEqual(
    Array.from({ length: 150 }, (_, n) => `settle-charging:sub_${String(n + 1).padStart(26, "0")}`),
  );
});
