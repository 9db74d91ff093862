import { enqueue } from "../../queue/enqueue.ts";
import type { Payloads } from "../../queue/tasks.ts";
import { refreshWindowOf, type WindowPorts } from "../../snapshots/refresh-windows.ts";
import { queueCharging } from "./charging-queries.ts";

/** Subscriptions per job. */
const AT_ONCE = 100;

/**
 * After a change of a workspace's grace period: sets the serving windows of some of its ads whose renewal is unpaid, queues what
 * their subscriptions need at the processor, and queues a job for the rest.
 */
export async function refreshGrace(
  ports: WindowPorts,
  { workspaceId, after = "" }: Payloads["refresh-grace"],
): Promise<void> {
  const unpaid = await ports.db
    .selectFrom("subscriptions")
    .where("workspace_id", "=", workspaceId)
    .where("renewal_failed_at", "is not", null)
    .where("id", ">", after)
    .select("id")
    .orderBy("id")
    .limit(AT_ONCE)
    .execute();
  for (const { id } of unpaid) {
    const now = ports.payments.moment(ports.now());
    await ports.db.transaction().execute(async (trx) => {
      await refreshWindowOf(trx, id, now);
      await queueCharging(trx, id, now.atProcessor);
    });
  }
  const last = unpaid[AT_ONCE - 1];
  if (last !== undefined) await enqueue(ports.db, "refresh-grace", { workspaceId, after: last.id });
}
