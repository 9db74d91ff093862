import { expect, it, vi } from "vitest";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { paidAds, WITHIN } from "../../tests/paid-ads.ts";
import { sandboxClock } from "../../tests/sandbox-clock.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const ads = paidAds(service);

it.each(["voidInvoice", "markUncollectible"] as const)(
  "tells both sides that the charge fails of the period that begins in grace, after %s",
  async (write) => {
    const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 5);
    const failures = async () => {
      const mails = [await mailsTo(service, bought.email), await mailsTo(service, publisher.person.email)];
      return mails.map((told) => told.filter(({ subject }) => subject.includes("failed")).length);
    };
    await ads.jobsDone();
    expect(await failures()).toEqual([1, 1]);

    const owed = (await ads.invoicesOf(bought)).find(({ status }) => status === "open");
    await service.processor.stripe.invoices[write](owed?.id ?? "");

    await ads.isOnAir(publisher, bought, false);
    await vi.waitFor(async () => {
      await ads.jobsDone();
      expect(await failures()).toEqual([2, 2]);
    }, WITHIN);
  },
);
