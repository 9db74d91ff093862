import { expect, it, vi } from "vitest";
import { type Ad, ad } from "#libs/contract/ad.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { DAY_HOURS, paidAds } from "../../tests/paid-ads.ts";
import { becomes, sandboxClock } from "../../tests/sandbox-clock.ts";

/*
 * A grace ends, and the buyer pays, before the stop of the period could be written at the processor.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);

function endOf({ subscription }: Ad): number {
  return Date.parse(subscription.currentPeriodEnd ?? "");
}

/** Has what has waited for the processor tried again now. */
async function tryAgain(): Promise<void> {
  await service.database.pool.query(
    `select graphile_worker.reschedule_jobs(array_agg(id), run_at := now(), attempts := 0)
     from graphile_worker.jobs where locked_at is null`,
  );
}

it.each(["gone", "failing"] as const)(
  "moves a period by the time off the air that passes while the processor is %s, and is paid for",
  async (state) => {
    const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 2);
    const inGrace = await becomes(publisher, bought, "PastDue");
    const graceEnd = Date.parse(inGrace.subscription.graceEndsAt ?? "");
    await service.processor.while(state, async () => {
      await clock.passes(service, 2 * DAY_HOURS);
      await ads.isOnAir(publisher, bought, false);
      await clock.passes(service, 1 * DAY_HOURS);
      await ads.payOpenInvoice(publisher, bought);
      // The message of the payment finds nobody to read it from.
      await vi.waitFor(async () => {
        const { rowCount } = await service.database.pool.query(
          "select from graphile_worker.jobs where task_identifier = 'webhook' and attempts > 0 and locked_at is null",
        );
        expect(rowCount).toBeGreaterThan(0);
      }, 20_000);
    });
    const backAt = clock.now();
    await tryAgain();

    const paid = await becomes(publisher, bought, "Active");
    await ads.isOnAir(publisher, bought, true);
    expect(Math.abs(endOf(paid) - endOf(inGrace) - (backAt - graceEnd))).toBeLessThan(60_000);
    const told = (await mailsTo(service, bought.email)).map(({ subject }) => subject);
    expect(told.filter((subject) => subject.endsWith("went through"))).toHaveLength(1);
  },
);

it("keeps the ad off the air while a period that is paid cannot be moved, and moves it once though the answer is lost", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 2);
  const inGrace = await becomes(publisher, bought, "PastDue");
  const graceEnd = Date.parse(inGrace.subscription.graceEndsAt ?? "");
  await service.processor.while("mute to writes", async () => {
    await clock.passes(service, 2 * DAY_HOURS + 12);
    await ads.isOnAir(publisher, bought, false);
    await ads.payOpenInvoice(publisher, bought);
    await vi.waitFor(async () => {
      const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
      expect(subscription).toMatchObject({ paidAmount: 7000, stoppedAt: inGrace.subscription.graceEndsAt });
    }, 20_000);
    await ads.isOnAir(publisher, bought, false);
    service.processor.loseAnswerToWrite(1);
  });
  const backAt = clock.now();
  await tryAgain();

  const paid = await becomes(publisher, bought, "Active");
  await ads.isOnAir(publisher, bought, true);
  await ads.jobsDone();
  expect(Math.abs(endOf(paid) - endOf(inGrace) - (backAt - graceEnd))).toBeLessThan(60_000);
  expect((await publisher.caller.ok(ad, "GET", bought.path)).subscription).toMatchObject({
    currentPeriodEnd: paid.subscription.currentPeriodEnd,
    stoppedAt: null,
  });
});
