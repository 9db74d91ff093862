import { expect, it, vi } from "vitest";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { type Bought, DAILY, DAY_HOURS, paidAds, WITHIN } from "../../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher } from "../../tests/story.ts";
import { applied, aSubscriptionEvent, deliver } from "../../tests/webhook-story.ts";
import { continuePeriod, newWrite } from "./continue-period.ts";

/*
 * Letters about a payment that was due and is made: at the end of a pause, or when its period is used up.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);

async function isRecorded({ id }: Bought): Promise<void> {
  await vi.waitFor(async () => {
    const { stop_bill: bill } = await service.database.db
      .selectFrom("subscriptions")
      .innerJoin("ads", "ads.subscription_id", "subscriptions.id")
      .where("ads.id", "=", id)
      .select("stop_bill")
      .executeTakeFirstOrThrow();
    // Null once the end of the pause is recorded as well.
    expect(bill).not.toBe("open");
  }, WITHIN);
}

it("says of a pause at the processor that the payment that is due is made at its end", async () => {
  const { bought } = await ads.aWeeklyAdInGrace(clock, 6);

  await service.processor.stripe.subscriptions.update(await ads.subscriptionOf(bought), {
    pause_collection: { behavior: "void" },
  });

  expect(await ads.letter(bought.email, "is paused")).toContain("The payment that's due is made then.");
});

it("names the payment that a resumption has made, also where a webhook was faster", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 6);
  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();
  await ads.changeCard(publisher, bought);

  const resumed = ads.act(publisher, bought, "resume");
  for (let isHeld = false; !isHeld; ) {
    const answer = service.processor.holdNextAnswer();
    await answer.given;
    isHeld = (await ads.paymentsOf(bought)) === 2;
    if (isHeld) await isRecorded(bought);
    answer.release();
  }
  await resumed;

  const told = await ads.letter(bought.email, "live again");
  expect(told).toContain("The payment that was due is made ($70.00).");
});

it("names it also where the subscription is recorded in two steps before the ledger has the payment", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 6);
  await ads.act(publisher, bought, "pause");
  await ads.jobsDone();
  await ads.changeCard(publisher, bought);
  await ads.jobsDone();
  const id = await ads.subscriptionOf(bought);
  const sold = { id, account: null };
  const isKnown = async () => {
    const event = aSubscriptionEvent(await service.processor.stripe.subscriptions.retrieve(id));
    expect(await deliver(service, event)).toMatchObject({ status: 200 });
    await applied(service, event.id);
  };

  await ads.withoutWebhooks(async () => {
    const { payments } = service.services;
    const { periodInvoiceId } = await payments.readSubscription(id, null);
    await payments.payInvoice(periodInvoiceId ?? "", newWrite(sold));
    await isKnown();
    await continuePeriod({ payments, now: Date.now }, sold, await payments.readSubscription(id, null));
    await isKnown();
  });

  expect(await ads.letter(bought.email, "live again")).toContain(
    "The payment that was due is made ($70.00).",
  );
});

it("tells of a payment that begins a new period, also where the charge of that fails", async () => {
  const publisher = await aPublisher(service);
  const bought = await ads.aRunningAd(publisher, CARDS.failing, DAILY);
  await clock.passes(service, DAY_HOURS + 2);
  await becomes(publisher, bought, "PastDue");
  await clock.passes(service, DAY_HOURS - 2 + 0.1);
  await ads.isStopped(bought, "unpaid");
  await ads.jobsDone();

  await ads.payOpenInvoice(publisher, bought, CARDS.failing);

  const told = async (to: string, words: RegExp) =>
    await vi.waitFor(async () => {
      const texts = (await mailsTo(service, to)).map(({ text }) => text);
      expect(texts.filter((text) => words.test(text))).toHaveLength(1);
    }, WITHIN);
  await told(
    bought.email,
    /Your payment of \$10\.00 went through, and a new billing period has begun\. Your payment .* failed/,
  );
  await told(publisher.person.email, /They've paid \$10\.00, and a new period has begun\. .* failed/);
});
