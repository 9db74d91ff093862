import { expect, it, vi } from "vitest";
import { ad, eligibility } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
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
import { queueReconciliation } from "../reconciliation/runs.ts";

/*
 * What buyers and publishers do at the processor, while the service is away or stops or holds the same subscription.
 */

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const ads = paidAds(service);

/** Webhooks do not arrive while `work` runs; a comparison makes up for them. */
async function whileAway(work: () => Promise<void>): Promise<void> {
  await ads.withoutWebhooks(work);
  await queueReconciliation(service.database.db);
  await ads.jobsDone();
}

async function collectAgain(bought: Bought): Promise<void> {
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { pause_collection: "" });
}

/** An ad whose second week is not paid, and off the air since its grace of a day has ended. */
async function aStoppedAd(publisher: Publisher): Promise<Bought> {
  await ads.graceOf(publisher, 1);
  const bought = await ads.aRunningAd(publisher, CARDS.failing, WEEKLY);
  await clock.passes(service, 7 * DAY_HOURS + 2);
  await becomes(publisher, bought, "PastDue");
  await clock.passes(service, DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  await ads.jobsDone();
  return bought;
}

it("moves a cancellation for the end of the period with a pause, as the portal writes it", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const { items } = await stripe.subscriptions.retrieve(await ads.subscriptionOf(bought));
  const end = (items.data[0]?.current_period_end ?? 0) * 1000;
  await ads.cancelInPortal(publisher, bought);
  await vi.waitFor(async () => {
    const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
    expect(subscription).toMatchObject({ cancelAtPeriodEnd: true, cancelAt: new Date(end).toISOString() });
  }, WITHIN);
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.act(publisher, bought, "pause");
  await clock.passes(service, 4 * DAY_HOURS);

  await ads.act(publisher, bought, "resume");

  const served = await publisher.caller.ok(eligibility, "GET", `${bought.path}/eligibility`);
  expect(Math.abs(Date.parse(served.servingUntil ?? "") - end - 4 * DAY_MS)).toBeLessThan(60_000);
  await clock.passes(service, 5 * DAY_HOURS + 1);
  await becomes(publisher, bought, "Canceled");
  expect(await ads.statusesOf(bought)).toEqual(["paid"]);
});

it("resumes an ad that was paused on the first day of two years with a leap day", async () => {
  const publisher = await aPublisher(service);
  const leap = new Date(clock.now());
  // Two years that have 731 days begin in the March before a leap year.
  const march = [0, 1, 2, 3, 4]
    .map((years) => Date.UTC(leap.getUTCFullYear() + years, 2, 10))
    .find((at) => at > clock.now() && new Date(at + 365 * DAY_MS).getUTCFullYear() % 4 === 0);
  while (clock.now() < (march ?? 0)) {
    const hours = Math.ceil(((march ?? 0) - clock.now()) / 3_600_000);
    await clock.passes(service, Math.min(hours, 1_000 * DAY_HOURS));
  }
  const initialPrices = [{ amount: 200_000, intervalCount: 2, interval: "Year", currency: "usd" }];
  const bought = await ads.aRunningAd(publisher, CARDS.sound, { initialPrices });
  await clock.passes(service, 1);
  await ads.act(publisher, bought, "pause");
  await clock.passes(service, 2 * DAY_HOURS);

  const { subscription } = await ads.act(publisher, bought, "resume");

  const left = (Date.parse(subscription.currentPeriodEnd ?? "") - clock.now()) / DAY_MS;
  expect(left).toBeGreaterThan(729);
  expect(left).toBeLessThanOrEqual(730);
});

it("gives both weeks that were paid where the processor resumed and renewed a paused ad meanwhile", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.act(publisher, bought, "pause");
  await becomes(publisher, bought, "Paused");
  await ads.jobsDone();

  await whileAway(async () => {
    await collectAgain(bought);
    await clock.passes(service, 6 * DAY_HOURS);
  });

  await vi.waitFor(async () => {
    const { subscription } = await becomes(publisher, bought, "Active");
    const left = (Date.parse(subscription.currentPeriodEnd ?? "") - clock.now()) / DAY_MS;
    // Two weeks were paid, of which two days were used.
    expect(left).toBeCloseTo(12, 1);
  }, WITHIN);
  expect(await ads.statusesOf(bought)).toEqual(["paid", "paid"]);
});

it("charges nobody who has left when an ad is resumed whose subscription has just ended at the processor", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock);
  await ads.act(publisher, bought, "pause");
  await becomes(publisher, bought, "Paused");
  await ads.changeCard(publisher, bought);
  await ads.jobsDone();

  await whileAway(async () => {
    await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at_period_end: true });
    await clock.passes(service, 8 * DAY_HOURS);
    await publisher.caller.refused(409, "POST", `${bought.path}/resume`);
  });

  await becomes(publisher, bought, "Canceled");
  await ads.jobsDone();
  expect((await ads.statusesOf(bought)).filter((status) => status === "paid")).toHaveLength(1);
});

it("stops again what is unpaid when somebody resumes its collection at the processor", async () => {
  const publisher = await aPublisher(service);
  const bought = await aStoppedAd(publisher);

  await collectAgain(bought);
  await vi.waitFor(async () => {
    const { pause_collection } = await stripe.subscriptions.retrieve(await ads.subscriptionOf(bought));
    expect(pause_collection?.behavior).toBe("void");
  }, WITHIN);
  await clock.passes(service, 6 * DAY_HOURS);
  await ads.jobsDone();
  await ads.changeCard(publisher, bought);
  await clock.passes(service, 5 * DAY_HOURS);

  await becomes(publisher, bought, "Active");
  // The weeks off the air are not charged.
  expect((await ads.statusesOf(bought)).filter((status) => status === "paid")).toHaveLength(2);
});

it("holds again what waits for its approval when somebody resumes its collection at the processor", async () => {
  const publisher = await aPublisher(service);
  const bought = await aBoughtAd(service, publisher, CARDS.sound, WEEKLY);
  await awaitsApproval(publisher, bought, true);

  await collectAgain(bought);
  await vi.waitFor(async () => {
    const { pause_collection } = await stripe.subscriptions.retrieve(await ads.subscriptionOf(bought));
    expect(pause_collection?.behavior).toBe("void");
  }, WITHIN);
  await clock.passes(service, 15 * DAY_HOURS);
  await ads.jobsDone();

  expect((await ads.statusesOf(bought)).filter((status) => status === "paid")).toHaveLength(1);
});

it("voids an older renewal that failed where the buyer has paid a newer one meanwhile", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 3);

  await whileAway(async () => {
    await service.processor.while("gone", async () => {
      await clock.passes(service, 7 * DAY_HOURS + 1);
      const open = (await ads.invoicesOf(bought)).findLast(({ status }) => status === "open");
      const page = new URL(open?.hosted_invoice_url ?? "none").pathname;
      await publisher.caller.request("POST", `${page}/pay`, { card: CARDS.sound });
    });
  });

  await vi.waitFor(
    async () => expect(await ads.statusesOf(bought)).toEqual(["paid", "void", "paid"]),
    WITHIN,
  );
  await becomes(publisher, bought, "Active");
  await clock.passes(service, 3 * DAY_HOURS);
  expect(await ads.statusesOf(bought)).toEqual(["paid", "void", "paid"]);
});

it("names no unused payment that was refunded when a stopped subscription ends", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  await clock.passes(service, 2 * DAY_HOURS);
  await ads.act(publisher, bought, "pause");
  const { subscription } = await becomes(publisher, bought, "Paused");
  const list = `${publisher.path}/invoices?subscriptionId=${subscription.id}&status=paid`;
  const [paid] = (await publisher.caller.ok(pageOf(invoice), "GET", list)).items;
  await publisher.caller.ok(invoice, "POST", `${publisher.path}/invoices/${paid?.id}/refunds`, {});

  await stripe.subscriptions.cancel(await ads.subscriptionOf(bought));
  await becomes(publisher, bought, "Canceled");

  await vi.waitFor(async () => {
    const told = await mailsTo(service, publisher.person.email);
    const ended = told.find(({ subject }) => subject.includes("has ended"));
    expect(ended?.text).toBeTypeOf("string");
    expect(ended?.text).not.toContain("unused");
  }, WITHIN);
});

it("tells of the new period whose charge fails after a late payment", async () => {
  const { publisher, bought } = await ads.aWeeklyAdInGrace(clock, 14);
  await clock.passes(service, 8 * DAY_HOURS);
  await ads.isStopped(bought, "unpaid");
  await ads.jobsDone();
  const failures = async (email: string) =>
    (await mailsTo(service, email)).filter(({ subject }) => /failed|couldn.t/i.test(subject)).length;
  const before = [await failures(bought.email), await failures(publisher.person.email)];
  expect(before).toEqual([1, 1]);

  await whileAway(async () => {
    await ads.payOpenInvoice(publisher, bought);
    await ads.changeCard(publisher, bought, CARDS.failing);
  });

  await vi.waitFor(async () => {
    expect([await failures(bought.email), await failures(publisher.person.email)]).toEqual([2, 2]);
  }, WITHIN);
});

it("makes the refund of a cancellation whose answer was lost", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const { subscription } = await becomes(publisher, bought, "Active");
  await ads.jobsDone();
  service.processor.loseAnswerToWrite(1);
  const path = `${publisher.path}/subscriptions/${subscription.id}/cancel`;

  await publisher.caller.refused(502, "POST", path, { note: "Sorry.", refund: true });
  await becomes(publisher, bought, "Canceled");
  // What the job that was queued with the cancellation does a little later, the comparison does too.
  await queueReconciliation(service.database.db);

  await vi.waitFor(async () => {
    const told = await mailsTo(service, bought.email);
    expect(told.filter(({ subject }) => subject.includes("refunded"))).toHaveLength(1);
  }, WITHIN);
  await vi.waitFor(async () => {
    const { subscription: ended } = await publisher.caller.ok(ad, "GET", bought.path);
    expect(ended.refundDueSince).toBeNull();
  }, WITHIN);
});

it("refunds nothing later where the processor refused to end the subscription", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const { subscription } = await becomes(publisher, bought, "Active");
  await ads.jobsDone();
  const path = `${publisher.path}/subscriptions/${subscription.id}/cancel`;
  await service.processor.while("gone", async () => {
    await publisher.caller.refused(502, "POST", path, { note: "Sorry.", refund: true });
  });

  await queueReconciliation(service.database.db);

  await vi.waitFor(async () => {
    const { subscription: running } = await publisher.caller.ok(ad, "GET", bought.path);
    expect(running).toMatchObject({ status: "Active", refundDueSince: null });
  }, WITHIN);
});

it("takes a pause that was made at the processor for one of the publisher, so that no paid day is lost", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const before = await becomes(publisher, bought, "Active");
  const id = await ads.subscriptionOf(bought);
  await clock.passes(service, 2 * DAY_HOURS);

  await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
  await vi.waitFor(async () => {
    expect((await stripe.subscriptions.retrieve(id)).metadata.stop).toMatch(/^paused /);
  }, WITHIN);
  await clock.passes(service, 4 * DAY_HOURS);
  await collectAgain(bought);

  await vi.waitFor(async () => {
    const { subscription } = await becomes(publisher, bought, "Active");
    const moved =
      Date.parse(subscription.currentPeriodEnd ?? "") -
      Date.parse(before.subscription.currentPeriodEnd ?? "");
    expect(moved / DAY_MS).toBeCloseTo(4, 1);
  }, WITHIN);
  expect(await ads.statusesOf(bought)).toEqual(["paid"]);
});

it("renews until a fixed end that is set at the processor, and says so", async () => {
  const { bought } = await ads.aWeeklyAd();
  const end = Math.floor(clock.now() / 1000) + 60 * 86_400;

  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at: end });

  await vi.waitFor(async () => {
    const told = (await mailsTo(service, bought.email)).find(({ text }) => text.includes("now has an end"));
    expect(told?.text).toContain("Renewals are charged until then.");
    expect(told?.text).not.toContain("won't be charged again");
  }, WITHIN);
  await clock.passes(service, 7 * DAY_HOURS + 2);
  await vi.waitFor(async () => expect(await ads.statusesOf(bought)).toEqual(["paid", "paid"]), WITHIN);
});

it("begins the time of an ad that is approved although an end long after it is set at the processor", async () => {
  const publisher = await aPublisher(service);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt: "approval",
  });
  const bought = await aBoughtAd(service, publisher, CARDS.sound, WEEKLY);
  await awaitsApproval(publisher, bought, true);
  const end = Math.floor(clock.now() / 1000) + 365 * 86_400;
  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { cancel_at: end });
  await ads.jobsDone();

  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);

  await becomes(publisher, bought, "Active");
});

it.each([
  [true, 2],
  [false, 1],
])("refunds what was charged since a deletion began (refund: %s)", async (refund, count) => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const id = await ads.subscriptionOf(bought);
  await clock.passes(service, 6 * DAY_HOURS);
  const { pool } = service.database;
  await service.processor.while("failing", async () => {
    const deletion = { name: publisher.workspace.name, refund };
    const { status } = await publisher.person.caller.request("DELETE", publisher.path, deletion);
    expect(status).toBe(200);
    await vi.waitFor(async () => {
      const { rows } = await pool.query(
        "select from graphile_worker.jobs where task_identifier = 'erase-workspace' and attempts > 0 and locked_at is null",
      );
      expect(rows).toHaveLength(1);
    }, WITHIN);
    await clock.passes(service, 1.5 * DAY_HOURS);
  });
  await pool.query(
    "select graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) from graphile_worker.jobs where task_identifier = 'erase-workspace'",
  );

  await vi.waitFor(async () => {
    const { rows } = await pool.query("select from workspaces where id = $1", [publisher.workspace.id]);
    expect(rows).toHaveLength(0);
  }, WITHIN);

  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  const refunds = await Promise.all(
    (await ads.invoicesOf(bought)).map(async (one) => {
      const charge = await service.services.payments.readChargeOfInvoice(one.id ?? "", null);
      return charge?.amountRefunded ?? 0;
    }),
  );
  const made = refunds.filter((amount) => amount > 0).toSorted((one, other) => one - other);
  expect(made.at(-1)).toBe(7000);
  // One day of the first week was left.
  expect(made).toHaveLength(count);
});

it("keeps the refund of a cancellation due when its ad is rejected without one", async () => {
  const { publisher, bought } = await ads.aWeeklyAd();
  const { subscription } = await becomes(publisher, bought, "Active");
  await ads.jobsDone();
  const path = `${publisher.path}/subscriptions/${subscription.id}/cancel`;

  const due = await service.processor.while("poor", async () => {
    await publisher.caller.request("POST", path, { note: "Sorry.", refund: true });
    await publisher.caller.request("POST", `${bought.path}/reject`, { note: "No.", refund: false });
    return (await publisher.caller.ok(ad, "GET", bought.path)).subscription.refundDueSince;
  });

  expect(due).toBeTypeOf("string");
});

/** An ad whose first charge was to wait for its approval. */
async function aSavedAd(publisher: Publisher): Promise<Bought> {
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    chargeAt: "approval",
  });
  return await aBoughtAd(service, publisher, CARDS.sound, WEEKLY);
}

/** Two weeks pass in which nothing is charged, and the approval then charges nothing for the week that was paid. */
async function getsItsWeekWithTheApproval(publisher: Publisher, bought: Bought): Promise<void> {
  await clock.passes(service, 15 * DAY_HOURS);
  await ads.jobsDone();
  expect(await ads.paymentsOf(bought)).toBe(1);

  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);
  await awaitsApproval(publisher, bought, false);

  await ads.isOnAir(publisher, bought, true);
  const { subscription } = await publisher.caller.ok(ad, "GET", bought.path);
  const left = Date.parse(subscription.currentPeriodEnd ?? "") - clock.now();
  expect(Math.abs(left - 7 * DAY_MS)).toBeLessThan(60_000);
  expect(await ads.paymentsOf(bought)).toBe(1);
  await clock.passes(service, 8 * DAY_HOURS);
  await ads.jobsDone();
  expect(await ads.paymentsOf(bought)).toBe(2);
  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "No.", refund: false });
}

it("charges once for an ad that waits for its approval, though somebody has ended the trial of its saved card", async () => {
  const publisher = await aPublisher(service);
  const bought = await aSavedAd(publisher);
  await awaitsApproval(publisher, bought, true);

  await stripe.subscriptions.update(await ads.subscriptionOf(bought), { trial_end: "now" });
  await becomes(publisher, bought, "Active");
  await ads.jobsDone();

  await getsItsWeekWithTheApproval(publisher, bought);
});

it("charges nothing more for an ad whose approval a restored backup lacks, until it is approved again", async () => {
  const publisher = await aPublisher(service);
  const bought = await aSavedAd(publisher);
  await approveForCharging(publisher, bought);
  await becomes(publisher, bought, "Active");
  await ads.jobsDone();
  await service.database.pool.query(
    "update ads set status = 'Pending', reviewed_at = null, serving_since = null where id = $1",
    [bought.id],
  );

  await queueReconciliation(service.database.db);
  await awaitsApproval(publisher, bought, true);
  await ads.jobsDone();

  await getsItsWeekWithTheApproval(publisher, bought);
});
