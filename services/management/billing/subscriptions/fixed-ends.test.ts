import { expect, it, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { formats } from "../../mail/formats.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAY_HOURS, DAY_MS, paidAds, WEEKLY, WITHIN } from "../../tests/paid-ads.ts";
import {
  aBoughtAd,
  approveForCharging,
  awaitsApproval,
  becomes,
  CARDS,
  sandboxClock,
} from "../../tests/sandbox-clock.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";
import { reconcile } from "../reconciliation/reconcile.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);

/** Sets a fixed end at the processor, so many days after the beginning of the current week. */
async function endOnDay(day: number, bought: Bought): Promise<string> {
  const id = await ads.subscriptionOf(bought);
  const { items } = await stripe.subscriptions.retrieve(id);
  const end = (items.data[0]?.current_period_end ?? 0) + ((day - 7) * DAY_MS) / 1000;
  await stripe.subscriptions.update(id, { cancel_at: end });
  await ads.jobsDone();
  return new Date(end * 1000).toISOString();
}

async function shownOf(publisher: Publisher, bought: Bought) {
  return (await publisher.caller.ok(ad, "GET", bought.path)).subscription;
}

/** Expects a letter to the buyer that names the day on which the subscription ends now. */
async function expectEndTold(publisher: Publisher, bought: Bought): Promise<void> {
  const { cancelAt } = await shownOf(publisher, bought);
  const texts = (await mailsTo(service, bought.email)).map(({ text }) => text);
  expect(texts.join("\n")).toContain(formats.day(new Date(cancelAt ?? "")));
}

it.each([15, 18])(
  "tells the end on day %i again that an approval after the first week moves",
  async (day) => {
    const publisher = await aPublisher(service);
    const bought = await aBoughtAd(service, publisher, CARDS.sound, WEEKLY);
    await awaitsApproval(publisher, bought, true);
    await endOnDay(day, bought);
    await clock.passes(service, 13 * DAY_HOURS);
    await ads.jobsDone();

    await approveForCharging(publisher, bought);
    await ads.jobsDone();

    expect(await ads.paymentsOf(bought)).toBe(2);
    await expectEndTold(publisher, bought);
  },
);

it("keeps an end after several weeks through an approval after the first, and renews until then", async () => {
  const publisher = await aPublisher(service);
  const bought = await aBoughtAd(service, publisher, CARDS.sound, WEEKLY);
  await awaitsApproval(publisher, bought, true);
  const end = await endOnDay(60, bought);
  await clock.passes(service, 13 * DAY_HOURS);
  await ads.jobsDone();

  await approveForCharging(publisher, bought);
  await ads.jobsDone();
  const approved = await shownOf(publisher, bought);
  await clock.passes(service, 8 * DAY_HOURS);
  await ads.jobsDone();

  expect(approved).toMatchObject({ cancelAt: end, cancelAtPeriodEnd: false });
  expect((await shownOf(publisher, bought)).status).toBe("Active");
  expect(await ads.paymentsOf(bought)).toBe(3);
});

it.each(["voidInvoice", "markUncollectible"] as const)(
  "tells the end again that the week moves which begins in grace after %s",
  async (write) => {
    const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 7);
    await endOnDay(7.2, bought);
    await clock.passes(service, DAY_HOURS);
    await ads.changeCard(publisher, bought);

    const owed = (await ads.invoicesOf(bought)).find(({ status }) => status === "open");
    await stripe.invoices[write](owed?.id ?? "");
    await becomes(publisher, bought, "Active");
    await ads.jobsDone();

    await expectEndTold(publisher, bought);
  },
);

it.each([13, 14, 15])(
  "knows an end on day %i from that of the period in a pause, in which the processor's period moves on",
  async (day) => {
    const { publisher, bought } = await ads.aWeeklyAd();
    await endOnDay(day, bought);
    await clock.passes(service, 6 * DAY_HOURS);
    await ads.act(publisher, bought, "pause");
    await clock.passes(service, 2 * DAY_HOURS);
    await ads.jobsDone();

    const page = `${service.origin}/advertise/${publisher.workspace.id}/checkout/${bought.sessionId}`;
    expect(await (await fetch(page)).text()).not.toMatch(/be charged for another period/);
    expect((await shownOf(publisher, bought)).cancelAtPeriodEnd).toBe(false);
  },
);

it.each([20, 21, 22, 60])(
  "begins a new week before an end on day %i where the grace has taken the week that is paid",
  async (day) => {
    const publisher = await aPublisher(service);
    await ads.graceOf(publisher, 7);
    const bought = await ads.aRunningAd(publisher, CARDS.failing, WEEKLY);
    const end = await endOnDay(day, bought);
    await clock.passes(service, 7 * DAY_HOURS + 2);
    await becomes(publisher, bought, "PastDue");
    await clock.passes(service, 7 * DAY_HOURS);
    await ads.isStopped(bought, "unpaid");
    await clock.passes(service, DAY_HOURS);
    await ads.jobsDone();

    await ads.changeCard(publisher, bought);
    await ads.payOpenInvoice(publisher, bought);

    await vi.waitFor(async () => {
      await ads.jobsDone();
      expect((await shownOf(publisher, bought)).status).toBe("Active");
      expect(await ads.paymentsOf(bought)).toBe(3);
    }, WITHIN);
    const { cancelAt, currentPeriodEnd, cancelAtPeriodEnd } = await shownOf(publisher, bought);
    expect(cancelAt).toBe(day > 22 ? end : currentPeriodEnd);
    expect(cancelAtPeriodEnd).toBe(day <= 22);
  },
);

it("says of a card that is saved until the approval that renewals are charged until the end", async () => {
  const publisher = await aPublisher(service);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt: "approval",
  });
  const bought = await aBoughtAd(service, publisher, CARDS.sound, WEEKLY);
  await awaitsApproval(publisher, bought, true);
  const { created } = await stripe.subscriptions.retrieve(await ads.subscriptionOf(bought));
  const end = new Date((created + (60 * DAY_MS) / 1000) * 1000);
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at: end.getTime() / 1000 });
  const address = `${service.origin}/advertise/${publisher.workspace.id}/checkout/${bought.sessionId}`;
  const page = await vi.waitFor(async () => {
    const text = await (await fetch(address)).text();
    expect(text).toContain(formats.day(end));
    return text;
  }, WITHIN);
  await ads.jobsDone();

  await approveForCharging(publisher, bought);
  await ads.jobsDone();
  await clock.passes(service, 8 * DAY_HOURS);
  await ads.jobsDone();

  expect(page).toContain("Renewals are charged until then.");
  expect(page).not.toMatch(/be charged for another|You won&#39;t be charged/);
  expect(await ads.letter(bought.email, "ends on")).toContain("Renewals are charged until then.");
  expect(await ads.paymentsOf(bought)).toBe(2);
});

it.each([
  ["in the portal", false],
  ["with the period", true],
])(
  "charges no week after a cancellation %s that came before the stop was written",
  async (_what, isClassic) => {
    const publisher = await aPublisher(service);
    await ads.graceOf(publisher, 7);
    const bought = await ads.aRunningAd(publisher, CARDS.failing, WEEKLY);
    const id = await ads.subscriptionOf(bought);
    await clock.passes(service, 7 * DAY_HOURS + 2);
    await becomes(publisher, bought, "PastDue");
    await ads.jobsDone();
    // The grace takes the whole week, and only the comparison sees its end.
    await ads.withoutWebhooks(async () => {
      await clock.passes(service, 7 * DAY_HOURS);
      if (isClassic) await stripe.subscriptions.update(id, { cancel_at_period_end: true });
      else await ads.cancelInPortal(publisher, bought);
      await reconcile(service.services);
    });
    await ads.isStopped(bought, "unpaid");
    await ads.jobsDone();
    expect(await ads.letter(bought.email, "is canceled")).toContain(
      "You won't be charged for another period.",
    );

    await ads.changeCard(publisher, bought);
    await ads.payOpenInvoice(publisher, bought);

    await vi.waitFor(async () => {
      await ads.jobsDone();
      expect((await shownOf(publisher, bought)).status).toBe("Canceled");
    }, WITHIN);
    expect(await ads.paymentsOf(bought)).toBe(2);
  },
);
