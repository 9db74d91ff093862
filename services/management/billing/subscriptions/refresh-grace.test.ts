import { expect, it } from "vitest";
import { enqueue } from "../../queue/enqueue.ts";
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

/** A workspace with a purchase that owes nothing, and with 150 whose period would be stopped if they were looked at. */
async function aWorkspaceThatIsOwed(): Promise<string> {
  const publisher = await aPublisher(service);
  const bought = await aPendingAd({ origin: service.origin }, publisher);
  await aPendingAd({ origin: service.origin }, publisher);
  await pool.query("delete from subscriptions where provider_subscription_id like 'sub_of_%'");
  await pool.query("delete from graphile_worker._private_jobs");
  await pool.query(
    `insert into subscriptions (id, workspace_id, advertiser_id, tier_id, price_id, provider_subscription_id, status, renewal_failed_at)
      select 'sub_' || lpad(n::text, 26, '0'), workspace_id, advertiser_id, tier_id, price_id, 'sub_of_' || n,
        'PastDue', case when n <= 150 then now() - interval '1 year' end
      from subscriptions, generate_series(1, 200) n
      where id = (select subscription_id from ads where id = $1)`,
    [bought.id],
  );
  return publisher.workspace.id;
}

it("stops a hundred unpaid periods at a time, and works through no ad that owes nothing", async () => {
  const workspaceId = await aWorkspaceThatIsOwed();

  await refreshGrace(service.services, { workspaceId });
  const first = await keysOf("settle-charging");
  const { rows } = await pool.query("select payload from graphile_worker._private_jobs where key = $1", [
    `refresh-grace:${workspaceId}:rest`,
  ]);
  await refreshGrace(service.services, rows[0]?.payload);
  const all = await keysOf("settle-charging");

  expect(first).toHaveLength(100);
  expect(rows).toEqual([{ payload: { workspaceId, after: `sub_${"100".padStart(26, "0")}` } }]);
  expect(all).toEqual(
    Array.from({ length: 150 }, (_, n) => `settle-charging:sub_${String(n + 1).padStart(26, "0")}`),
  );
});

it("begins with the first subscription for a newer change, while an older one is still carried out", async () => {
  const workspaceId = await aWorkspaceThatIsOwed();
  await enqueue(service.database.db, "refresh-grace", { workspaceId });

  await refreshGrace(service.services, { workspaceId });

  expect(await keysOf("refresh-grace")).toEqual([
    `refresh-grace:${workspaceId}`,
    `refresh-grace:${workspaceId}:rest`,
  ]);
  const { rows } = await pool.query(
    "select distinct queue_name from graphile_worker.jobs where task_identifier = 'refresh-grace'",
  );
  expect(rows).toHaveLength(1);
});
