import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { actionsOn } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import type { PassageState } from "../../tests/processor.ts";
import { anApprovedAd, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { processor } = service;
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };

async function everything(): Promise<string> {
  const tables = ["ads", "subscriptions", "audit_log", "checkout_sessions", "revisions", "workspaces"];
  const parts = await Promise.all(
    tables.map((table) =>
      service.database.pool.query(
        // A late webhook reads the processor again, and changes only the version of the row.
        `select md5(coalesce(string_agg(row, '|' order by row), '')) as sum
         from (select (to_jsonb(t) - 'sync_version')::text as row from ${table} t) rows`,
      ),
    ),
  );
  return parts.map(({ rows }) => rows[0].sum).join(" ");
}

const AWAY: PassageState[] = ["gone", "failing"];

it.each(AWAY)(
  "answers pause, resume and reject with 502 and changes nothing while it is %s",
  async (state) => {
    const running = await anApprovedAd(service, publisher);
    const paused = await anApprovedAd(service, publisher);
    await caller.ok(ad, "POST", `${paused.path}/pause`);
    await vi.waitFor(async () => {
      const waiting = await service.database.pool.query(
        "select 1 from webhook_events where applied_at is null",
      );
      expect(waiting.rowCount).toBe(0);
    }, 20_000);
    const before = await everything();

    for (const [call, body] of [
      [`${running.path}/pause`, undefined],
      [`${paused.path}/resume`, undefined],
      [`${running.path}/reject`, { note: "No." }],
    ] as const) {
      const refused = await processor.while(state, () => caller.refused(502, "POST", call, body));

      expect(refused).toMatchObject({ defined: false, code: "PAYMENT_PROCESSOR_FAILED", status: 502 });
    }

    expect(await everything()).toBe(before);
    expect((await caller.ok(ad, "POST", `${running.path}/pause`)).subscription.status).toBe("Paused");
    expect((await caller.ok(ad, "POST", `${paused.path}/resume`)).subscription.status).toBe("Active");
  },
);

it.each(AWAY)("sells nothing while it is %s, and everything afterwards", async (state) => {
  const sold = await aTier(publisher);
  const body = { tierPriceId: sold.prices[0]?.id };
  const before = await everything();

  const refused = await processor.while(state, () =>
    caller.refused(502, "POST", `${path}/checkout-sessions`, body),
  );

  expect(refused.code).toBe("PAYMENT_PROCESSOR_FAILED");
  expect(await everything()).toBe(before);
  expect((await caller.request("POST", `${path}/checkout-sessions`, body)).status).toBe(200);
});

it("accepts a submission without the processor once the payment is known here", async () => {
  const sold = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
  await checkout.caller.request("GET", checkout.path);

  const submitted = await processor.while("gone", () =>
    checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative),
  );

  expect(submitted.status).toBe("Pending");
});

it("catches up by webhook when a pause went through and its answer was lost", async () => {
  const running = await anApprovedAd(service, publisher);

  await processor.while("mute to writes", () => caller.refused(502, "POST", `${running.path}/pause`));

  await vi.waitFor(
    async () => expect((await caller.ok(ad, "GET", running.path)).subscription.status).toBe("Paused"),
    { timeout: 10_000, interval: 50 },
  );
  expect(await actionsOn(service, running.id)).toEqual(["ad.submit", "ad.approve"]);
  expect((await caller.ok(ad, "POST", `${running.path}/resume`)).subscription.status).toBe("Active");
});
