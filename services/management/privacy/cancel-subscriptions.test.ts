import { expect, it } from "vitest";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";
import { cancelSubscriptions } from "./cancel-subscriptions.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { pool } = service.database;

it("cancels the other subscriptions although the processor refuses one, and fails so that the job is retried", async () => {
  const publisher = await aPublisher(service);
  for (let count = 0; count < 3; count += 1) await anApprovedAd(service, publisher);
  const { rows } = await pool.query<{ id: string }>(
    "select id from subscriptions where workspace_id = $1 order by id",
    [publisher.workspace.id],
  );
  await pool.query("update subscriptions set provider_account = 'acct_gone' where id = $1", [rows[0]?.id]);

  const canceling = cancelSubscriptions(service.services, publisher.workspace.id, {
    refunds: false,
  });

  await expect(canceling).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
  const { data } = await service.processor.stripe.subscriptions.list({ status: "all" });
  expect(data.map(({ status }) => status).toSorted()).toEqual(["active", "canceled", "canceled"]);
});
