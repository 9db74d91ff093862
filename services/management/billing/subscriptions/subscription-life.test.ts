import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { isWithin } from "#libs/domain/eligibility.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher } from "../../tests/story.ts";
import { aSubscriptionEvent, deliver } from "../../tests/webhook-story.ts";

const service = await startManagement({ unlimited: true, webhooks: "by hand" });
const { processor, placements } = service;
const { stripe } = processor;
const publisher = await aPublisher(service);
const { caller } = publisher;

const DAY = 86_400;
const today = Math.floor(Date.now() / 1000);

async function aRunningAd() {
  const running = await anApprovedAd(service, publisher);
  const [remote] = (await stripe.subscriptions.list({ limit: 1 })).data;
  if (remote === undefined) throw new Error("the processor has no subscription");
  return { ...running, remote };
}

type RunningAd = Awaited<ReturnType<typeof aRunningAd>>;

/** Has the processor say that of the subscription from now on, and send a webhook about it. */
async function moves({ remote }: RunningAd, said: Readonly<Record<string, unknown>>): Promise<void> {
  processor.pretend(remote.id, said);
  const { status } = await deliver(service, aSubscriptionEvent({ ...remote }));
  expect(status).toBe(200);
}

async function isServed(adId: string): Promise<boolean> {
  const snapshot = await placements.read(publisher.workspace.id);
  const served = snapshot?.ads.find(({ id }) => id === adId);
  if (served === undefined) return false;
  return isWithin({ since: 0, until: served.servingUntil }, Date.now());
}

/** Waits, for a second at most, until the snapshot says so. */
async function becomesServed({ id }: RunningAd, served: boolean): Promise<void> {
  await vi.waitFor(async () => expect(await isServed(id)).toBe(served), { timeout: 1_000, interval: 10 });
}

/** Each life with the processor's words, ours, and whether the ad is on the air. */
const LIVES: readonly (readonly [
  said: Readonly<Record<string, unknown>>,
  status: string,
  served: boolean,
])[][] = [
  [
    [{ status: "trialing", trial_end: today + 7 * DAY }, "Trialing", true],
    [{ status: "active" }, "Active", true],
    [{ status: "past_due" }, "PastDue", false],
    [{ status: "active" }, "Active", true],
  ],
  [
    [{ status: "past_due" }, "PastDue", false],
    [{ status: "unpaid" }, "Unpaid", false],
    [{ status: "active" }, "Active", true],
  ],
  [
    [{ status: "past_due" }, "PastDue", false],
    [{ status: "canceled", canceled_at: today, ended_at: today }, "Canceled", false],
  ],
  [
    [{ status: "incomplete" }, "Incomplete", false],
    [{ status: "incomplete_expired" }, "IncompleteExpired", false],
  ],
  [
    [{ status: "paused" }, "Paused", false],
    [{ status: "active" }, "Active", true],
    [{ status: "trialing" }, "Trialing", true],
    [{ pause_collection: { behavior: "void", resumes_at: null } }, "Paused", false],
    [{ pause_collection: null }, "Active", true],
  ],
];

it.each(LIVES.map((life) => [life.map(([, status]) => status).join(" → "), life] as const))(
  "updates the served ads within a second along Active → %s",
  async (_way, life) => {
    const running = await aRunningAd();
    await becomesServed(running, true);

    for (const [said, status, served] of life) {
      await moves(running, said);

      await becomesServed(running, served);
      await vi.waitFor(
        async () => expect((await caller.ok(ad, "GET", running.path)).subscription.status).toBe(status),
        20_000,
      );
    }
  },
);

it("shows why and when a subscription ends, and serves it until then", async () => {
  const running = await aRunningAd();
  await moves(running, {
    cancel_at: today + 3 * DAY,
    cancel_at_period_end: false,
    canceled_at: today,
    cancellation_details: {
      reason: "cancellation_requested",
      feedback: "too_expensive",
      comment: "Back in spring",
    },
  });

  await vi.waitFor(async () => {
    const { subscription } = await caller.ok(ad, "GET", running.path);
    expect(subscription).toMatchObject({
      status: "Active",
      cancelAtPeriodEnd: false,
      cancelAt: new Date((today + 3 * DAY) * 1000).toISOString(),
      canceledAt: new Date(today * 1000).toISOString(),
      cancellationReason: "cancellation_requested",
      cancellationFeedback: "too_expensive",
      cancellationComment: "Back in spring",
    });
  }, 20_000);
  await becomesServed(running, true);
  await moves(running, { cancel_at: today - 60, canceled_at: today - 120 });
  await becomesServed(running, false);
});

it("shows the period and the amount paid for it after discounts", async () => {
  const running = await aRunningAd();
  const [item] = running.remote.items.data;
  const period = { current_period_start: today - 2 * DAY, current_period_end: today + 28 * DAY };
  const ofPeriod = { subscription_item_details: { proration: false } };
  const invoice = {
    id: "in_discounted",
    object: "invoice",
    status: "paid",
    total: 3_675,
    amount_paid: 3_675,
    lines: { object: "list", data: [{ period: {}, parent: ofPeriod }] },
  };

  await moves(running, {
    items: { object: "list", data: [{ ...item, ...period }], has_more: false, url: "/v1/subscription_items" },
    latest_invoice: invoice,
  });

  await vi.waitFor(async () => {
    const { subscription } = await caller.ok(ad, "GET", running.path);
    expect(subscription).toMatchObject({
      currentPeriodStart: new Date(period.current_period_start * 1000).toISOString(),
      currentPeriodEnd: new Date(period.current_period_end * 1000).toISOString(),
      paidAmount: 3_675,
      tierPrice: { amount: 4_900 },
    });
  }, 20_000);
});
