import { expect, it } from "vitest";
import { PaymentsError } from "#libs/payments/index.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";
import { cancelSubscriptions } from "./cancel-subscriptions.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { pool } = service.database;

it("cancels the other subscriptions although the processor refuses one, and fails so that the job is retried", async () => {
  const publisher = await aPublisher(service);
  for (let count = 0; count < 3; count += 1) await anApprovedAd(service, publisher);
  const { rows } = await pool.query<{ refused: string }>(
    "select provider_subscription_id as refused from subscriptions where workspace_id = $1 order by id",
    [publisher.workspace.id],
  );
  const { payments } = service.services;
  const refusing: typeof payments = {
    ...payments,
    cancelSubscription: async (id, cancellation) => {
      if (id === rows[0]?.refused) throw new PaymentsError("PROCESSOR_FAILED", "Refused.", false, true);
      return await payments.cancelSubscription(id, cancellation);
    },
  };

  const canceling = cancelSubscriptions({ ...service.services, payments: refusing }, publisher.workspace.id, {
    refunds: false,
  });

  await expect(canceling).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
  const { data } = await service.processor.stripe.subscriptions.list({ status: "all" });
  expect(data.map(({ status }) => status).toSorted()).toEqual(["active", "canceled", "canceled"]);
});
