import { expect, it, vi } from "vitest";
import { checkoutContract } from "#libs/contract/checkout.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { openCheckout, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher } from "../../tests/story.ts";
import { reconcile } from "../reconciliation/reconcile.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const advertiser = new ApiCaller(service.origin);
const shape = checkoutContract.get["~orpc"].outputSchema;
if (shape === undefined) throw new Error("the contract names no status of a checkout");

it("says that a checkout has expired which the processor has forgotten, and leaves no webhook of it undone", async () => {
  const read = await openCheckout(service, publisher);
  const unread = await openCheckout(service, publisher);
  const path = `/v1/checkout-sessions/${read.sessionId}`;

  await clock.passes(service, 31 * 24);

  expect((await advertiser.ok(shape, "GET", path)).status).toBe("expired");
  const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
  const { data } = await advertiser.refused(409, "POST", `${path}/ad`, creative);
  expect(data).toMatchObject({
    formErrors: ["The checkout has expired without a payment. Start a new one."],
    reason: "CHECKOUT_EXPIRED",
  });
  await vi.waitFor(
    async () => {
      const { rows } = await service.database.pool.query(
        "select type, applied_at is not null as applied from webhook_events where type = 'checkout.session.expired'",
      );
      expect(rows).toEqual(rows.map(({ type }) => ({ type, applied: true })));
      expect(rows).toHaveLength(2);
    },
    { timeout: 20_000 },
  );
  const { report } = await reconcile(service.services);
  expect(report.failed.count).toBe(0);
  const other = await advertiser.ok(shape, "GET", `/v1/checkout-sessions/${unread.sessionId}`);
  expect(other.status).toBe("expired");
});

it("has no checkout that neither it nor the processor knows", async () => {
  await advertiser.refused(404, "GET", "/v1/checkout-sessions/cs_test_0000000000000000");
});
