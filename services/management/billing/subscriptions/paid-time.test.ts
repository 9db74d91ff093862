import { expect, it, vi } from "vitest";
import { type Ad, ad } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { mailsTo } from "../../mail/tests/sent-mails.ts";
import { startManagement } from "../../tests/management.ts";
import { DAY_HOURS, DAY_MS, paidAds, WEEKLY, WITHIN } from "../../tests/paid-ads.ts";
import { becomes, CARDS, sandboxClock } from "../../tests/sandbox-clock.ts";
import { aPublisher, chargingSettles } from "../../tests/story.ts";
import { findRun, queueReconciliation } from "../reconciliation/runs.ts";

const clock = sandboxClock();
const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const {
  aRunningAd,
  aWeeklyAd,
  aWeeklyAdInGrace,
  act,
  isOnAir,
  isStopped,
  subscriptionOf,
  invoicesOf,
  statusesOf,
  paymentsOf,
  withoutWebhooks,
  graceOf,
  payOpenInvoice,
  changeCard,
} = paidAds(service);

const MINUTE_MS = 60_000;

function startOf({ subscription }: Ad): number {
  return Date.parse(subscription.currentPeriodStart ?? "");
}

function endOf({ subscription }: Ad): number {
  return Date.parse(subscription.currentPeriodEnd ?? "");
}

/** A pause that is made at the processor while the service cannot ask it, so that renewals are voided before the service learns of it. */
async function pauseUnnoticed(id: string, hours: number): Promise<void> {
  await service.processor.while("gone", async () => {
    await stripe.subscriptions.update(id, { pause_collection: { behavior: "void" } });
    await clock.passes(service, hours);
  });
}

/** To the minute, for what the tests themselves take. */
function expectAbout(moment: number, expected: number): void {
  expect(Math.abs(moment - expected)).toBeLessThan(MINUTE_MS);
}

it("continues a period that was paused across renewals, and charges nothing for the time off the air", async () => {
  const { publisher, bought } = await aWeeklyAd();
  const before = await becomes(publisher, bought, "Active");
  await clock.passes(service, 2 * DAY_HOURS);

  await act(publisher, bought, "pause");
  await clock.passes(service, 20 * DAY_HOURS);
  const paused = await becomes(publisher, bought, "Paused");
  const resumed = await act(publisher, bought, "resume");

  expect([startOf(paused), endOf(paused)]).toEqual([startOf(before), endOf(before)]);
  expect(resumed.subscription).toMatchObject({ status: "Active", paidAmount: 7000 });
  expectAbout(endOf(resumed), endOf(before) + 20 * DAY_MS);
  expectAbout(startOf(resumed), startOf(before) + 20 * DAY_MS);
  await isOnAir(publisher, bought, true);
  await clock.passes(service, 5 * DAY_HOURS - 1);
  expect(await paymentsOf(bought)).toBe(1);
  await clock.passes(service, 3);
  expect(await paymentsOf(bought)).toBe(2);
  await vi.waitFor(async () => {
    const renewed = await becomes(publisher, bought, "Active");
    expectAbout(endOf(renewed), endOf(before) + 27 * DAY_MS);
  }, WITHIN);
});

it("continues a period that was paused within it, so that no paid day is lost", async () => {
  const { publisher, bought } = await aWeeklyAd();
  const before = await becomes(publisher, bought, "Active");

  await act(publisher, bought, "pause");
  await clock.passes(service, 3 * DAY_HOURS);
  const resumed = await act(publisher, bought, "resume");

  expectAbout(endOf(resumed), endOf(before) + 3 * DAY_MS);
  await clock.passes(service, 7 * DAY_HOURS - 1);
  expect(await statusesOf(bought)).toEqual(["paid"]);
});

it("does not collect a renewal of an ad that is paused in its grace, and charges it when the ad is resumed", async () => {
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  const inGrace = await becomes(publisher, bought, "PastDue");
  await isOnAir(publisher, bought, true);

  await act(publisher, bought, "pause");
  await changeCard(publisher, bought);
  await clock.passes(service, 12 * DAY_HOURS);
  expect(await paymentsOf(bought)).toBe(1);
  expect((await mailsTo(service, bought.email)).filter(({ subject }) => subject.includes("missing"))).toEqual(
    [],
  );
  const resumed = await act(publisher, bought, "resume");

  expect(resumed.subscription).toMatchObject({ status: "Active", paidAmount: 7000 });
  expectAbout(endOf(resumed), endOf(inGrace) + 12 * DAY_MS);
  await isOnAir(publisher, bought, true);
  expect(await paymentsOf(bought)).toBe(2);
});

it("leaves an ad off the air whose renewal fails again when it is resumed, until it is paid", async () => {
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  const inGrace = await becomes(publisher, bought, "PastDue");
  await act(publisher, bought, "pause");
  await clock.passes(service, 2 * DAY_HOURS);

  const resumed = await act(publisher, bought, "resume");
  expect(resumed.subscription.status).toBe("PastDue");
  await isOnAir(publisher, bought, false);
  await clock.passes(service, DAY_HOURS);
  await payOpenInvoice(publisher, bought);

  const paid = await becomes(publisher, bought, "Active");
  expectAbout(endOf(paid), endOf(inGrace) + 3 * DAY_MS);
  await isOnAir(publisher, bought, true);
});

it("charges nothing for the time after a grace that has ended, and continues the period once it is paid", async () => {
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  const inGrace = await becomes(publisher, bought, "PastDue");
  const graceEndsAt = Date.parse(inGrace.subscription.graceEndsAt ?? "");
  await clock.passes(service, 3 * DAY_HOURS);
  await isStopped(bought, "unpaid");
  await isOnAir(publisher, bought, false);

  await clock.passes(service, 9 * DAY_HOURS);
  const owed = (await statusesOf(bought)).filter((status) => status !== "void");
  expect(owed).toEqual(["paid", "open"]);
  const unpaid = await becomes(publisher, bought, "PastDue");
  expect(unpaid.subscription).toMatchObject({
    graceEndsAt: inGrace.subscription.graceEndsAt,
    currentPeriodEnd: inGrace.subscription.currentPeriodEnd,
  });
  const paidAt = clock.now();
  await payOpenInvoice(publisher, bought);

  const paid = await becomes(publisher, bought, "Active");
  expectAbout(endOf(paid), endOf(inGrace) + paidAt - graceEndsAt);
  await isOnAir(publisher, bought, true);
  await clock.passes(service, 2 * DAY_HOURS);
  expect(await paymentsOf(bought)).toBe(2);
});

it("brings back an ad whose subscription the processor leaves unpaid after its last attempt, once it is paid", async () => {
  await publisherSets({ afterRetries: "unpaid" });
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  await clock.passes(service, 3 * DAY_HOURS);
  await isStopped(bought, "unpaid");
  await clock.passes(service, 30 * DAY_HOURS);
  const id = await subscriptionOf(bought);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("unpaid");
  const runId = await queueReconciliation(service.database.db);
  await vi.waitFor(async () => {
    const run = await findRun(service.database.db, runId);
    expect(run?.report?.leftUnpaid).toEqual({ count: 1, ids: [id] });
  }, WITHIN);
  await becomes(publisher, bought, "PastDue");

  await payOpenInvoice(publisher, bought);
  const paid = await becomes(publisher, bought, "Active");
  await isOnAir(publisher, bought, true);
  await publisherSets({ afterRetries: "cancel" });
  await changeCard(publisher, bought);
  await clock.passes(service, Math.ceil((endOf(paid) - clock.now()) / 3_600_000) + 2);

  expect(await paymentsOf(bought)).toBe(3);
});

async function publisherSets(settings: { readonly afterRetries: string }): Promise<void> {
  const response = await fetch(`${service.origin}/sandbox/settings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(settings),
  });
  expect(response.ok).toBe(true);
}

it("begins a new period when a day that was wholly on the air in grace is paid", async () => {
  const publisher = await aPublisher(service);
  const daily = { initialPrices: [{ amount: 500, intervalCount: 1, interval: "Day", currency: "usd" }] };
  const bought = await aRunningAd(publisher, CARDS.failing, daily);
  await clock.passes(service, DAY_HOURS + 2);
  await becomes(publisher, bought, "PastDue");
  await clock.passes(service, DAY_HOURS);
  await isStopped(bought, "unpaid");
  await clock.passes(service, 4 * DAY_HOURS);

  await changeCard(publisher, bought);
  await payOpenInvoice(publisher, bought);
  const paid = await becomes(publisher, bought, "Active");

  expectAbout(startOf(paid), clock.now());
  expect(await paymentsOf(bought)).toBe(3);
});

it("moves the period of an ad that was resumed at the processor", async () => {
  const { publisher, bought } = await aWeeklyAd();
  const before = await becomes(publisher, bought, "Active");
  await act(publisher, bought, "pause");
  await clock.passes(service, 10 * DAY_HOURS);

  await stripe.subscriptions.update(await subscriptionOf(bought), { pause_collection: "" });

  const resumed = await becomes(publisher, bought, "Active");
  expectAbout(endOf(resumed), endOf(before) + 10 * DAY_MS);
  expect(await paymentsOf(bought)).toBe(1);
});

it("begins and charges a period where one was voided by a pause at the processor that the service learned of too late", async () => {
  const { publisher, bought } = await aWeeklyAd();
  const id = await subscriptionOf(bought);
  await pauseUnnoticed(id, 10 * DAY_HOURS);

  await stripe.subscriptions.update(id, { pause_collection: "" });

  await vi.waitFor(async () => {
    const resumed = await becomes(publisher, bought, "Active");
    expect(resumed.subscription).toMatchObject({ awaitsCharge: false, paidAmount: 7000 });
    expectAbout(startOf(resumed), clock.now());
  }, WITHIN);
  expect(await paymentsOf(bought)).toBe(2);
});

it("charges nothing for a period that the release before had voided, and renews at its end", async () => {
  const { publisher, bought } = await aWeeklyAd();
  const id = await subscriptionOf(bought);
  await pauseUnnoticed(id, 10 * DAY_HOURS);
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
  await service.database.db
    .updateTable("subscriptions")
    .set({ free_until: new Date((item?.current_period_end ?? 0) * 1000) })
    .where("provider_subscription_id", "=", id)
    .execute();

  await stripe.subscriptions.update(id, { pause_collection: "" });

  const { subscription } = await becomes(publisher, bought, "Active");
  expect(subscription.awaitsCharge).toBe(false);
  await isOnAir(publisher, bought, true);
  await clock.passes(service, 3 * DAY_HOURS);
  expect(await paymentsOf(bought)).toBe(1);
  await clock.passes(service, DAY_HOURS + 2);
  expect(await paymentsOf(bought)).toBe(2);
});

it("has no grace where the publisher gives none, and still continues the whole period", async () => {
  const publisher = await aPublisher(service);
  await graceOf(publisher, 0);
  const bought = await aRunningAd(publisher, CARDS.failing, WEEKLY);
  await clock.passes(service, 7 * DAY_HOURS + 2);
  const unpaid = await becomes(publisher, bought, "PastDue");
  await isStopped(bought, "unpaid");
  await clock.passes(service, 5 * DAY_HOURS);

  const paidAt = clock.now();
  await payOpenInvoice(publisher, bought);
  const paid = await becomes(publisher, bought, "Active");

  // The hour for which the renewal was a draft was on the air.
  expectAbout(endOf(paid), paidAt + endOf(unpaid) - startOf(unpaid) - 3_600_000);
});

it("voids the unpaid renewal of an ad that is rejected, and no link leads to it any more", async () => {
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  const link = `/advertise/${publisher.workspace.id}/checkout/${bought.sessionId}/billing`;
  const leadsTo = async (at: string) => (await publisher.caller.request("GET", at)).headers.get("location");
  await vi.waitFor(async () => expect(await leadsTo(`${link}/pay`)).toContain("/sandbox/invoices/"), WITHIN);
  expect(await leadsTo(link)).toContain("/sandbox/portal/");

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "Not for us.", refund: true });

  expect(await leadsTo(`${link}/pay`)).toContain("/sandbox/portal/");
  await vi.waitFor(async () => expect(await statusesOf(bought)).toEqual(["paid", "void"]), WITHIN);
});

it("voids what is unpaid when the last attempt has ended the subscription", async () => {
  const { publisher, bought } = await aWeeklyAd(CARDS.failing);
  await clock.passes(service, 7 * DAY_HOURS + 2);
  await clock.passes(service, 40 * DAY_HOURS);
  await becomes(publisher, bought, "Canceled");

  await vi.waitFor(async () => {
    expect((await statusesOf(bought)).filter((status) => status !== "void")).toEqual(["paid"]);
  }, WITHIN);
});

it("refunds the time off the air of a payment that comes after the end, and tells both", async () => {
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  await clock.passes(service, DAY_HOURS);
  await withoutWebhooks(async () => {
    await stripe.subscriptions.cancel(await subscriptionOf(bought));
    await clock.passes(service, 1);
    await payOpenInvoice(publisher, bought);
  });

  await becomes(publisher, bought, "Canceled");
  await vi.waitFor(async () => {
    const [refund] = (await stripe.refunds.list({ limit: 1 })).data;
    const share = (refund?.amount ?? 0) / 7000;
    // Of the seven days of the renewal, one and two hours were on the air.
    expect(share).toBeCloseTo((6 * DAY_HOURS - 2) / (7 * DAY_HOURS), 2);
    for (const email of [bought.email, publisher.person.email]) {
      const told = (await mailsTo(service, email)).filter(({ subject }) => subject.includes("refunded"));
      expect(told).toHaveLength(1);
    }
  }, WITHIN);
});

it("tells the publisher what is unused when a canceled subscription ends while its ad is paused", async () => {
  const { publisher, bought } = await aWeeklyAd();
  await act(publisher, bought, "pause");
  await stripe.subscriptions.update(await subscriptionOf(bought), { cancel_at_period_end: true });

  await clock.passes(service, 8 * DAY_HOURS);
  await becomes(publisher, bought, "Canceled");

  await vi.waitFor(async () => {
    const told = await mailsTo(service, publisher.person.email);
    const ended = told.find(({ subject }) => subject.includes("has ended"));
    expect(ended?.text).toMatch(/\$(70\.00|69\.\d\d) of the last payment is unused/);
  }, WITHIN);
});

it("refunds the whole rest of a period to an advertiser whose paused ad is rejected, less what was refunded in the pause", async () => {
  const { publisher, bought } = await aWeeklyAd();
  await clock.passes(service, 2 * DAY_HOURS);
  await act(publisher, bought, "pause");
  const { subscription } = await becomes(publisher, bought, "Paused");
  const invoices = `${publisher.path}/invoices?subscriptionId=${subscription.id}&status=paid`;
  const [paid] = (await publisher.caller.ok(pageOf(invoice), "GET", invoices)).items;
  await publisher.caller.ok(invoice, "POST", `${publisher.path}/invoices/${paid?.id}/refunds`, {
    amount: 700,
  });
  await clock.passes(service, 4 * DAY_HOURS);

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "Not for us.", refund: true });

  const [refund] = (await stripe.refunds.list({ limit: 1 })).data;
  expect(((refund?.amount ?? 0) + 700) / 7000).toBeCloseTo(5 / 7, 3);
});

it("refunds the rest of a period that was paused and resumed, with its rejection and with a cancellation", async () => {
  const publisher = await aPublisher(service);
  for (const end of ["reject", "cancel"] as const) {
    const bought = await aRunningAd(publisher, CARDS.sound, WEEKLY);
    await clock.passes(service, 2 * DAY_HOURS);
    await act(publisher, bought, "pause");
    await clock.passes(service, 10 * DAY_HOURS);
    const { subscription } = await act(publisher, bought, "resume");
    await clock.passes(service, DAY_HOURS);

    const path = end === "reject" ? bought.path : `${publisher.path}/subscriptions/${subscription.id}`;
    const ended = await publisher.caller.request("POST", `${path}/${end}`, { note: "Sorry.", refund: true });

    expect(ended.status, ended.text).toBe(200);
    const [refund] = (await stripe.refunds.list({ limit: 1 })).data;
    expect((refund?.amount ?? 0) / 7000).toBeCloseTo(4 / 7, 3);
    const canceled = await becomes(publisher, bought, "Canceled");
    expect(canceled.subscription).toMatchObject({
      paidAmount: 7000,
      currentPeriodStart: subscription.currentPeriodStart,
      currentPeriodEnd: subscription.currentPeriodEnd,
    });
  }
});

it("charges nothing when an ad is resumed whose advertiser has canceled, and of whose period nothing is left", async () => {
  const { publisher, bought } = await aWeeklyAd();
  const id = await subscriptionOf(bought);
  await pauseUnnoticed(id, 10 * DAY_HOURS);
  await stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await vi.waitFor(async () => {
    expect((await becomes(publisher, bought, "Paused")).subscription.cancelAtPeriodEnd).toBe(true);
  }, WITHIN);

  const resumed = await act(publisher, bought, "resume");

  expect(resumed.subscription.status).toBe("Canceled");
  expect(await paymentsOf(bought)).toBe(1);
});

it.each(["active", "past_due"])(
  "charges a new period when an invoice that failed is voided at the processor, which says %s, and tells of that payment once at most",
  async (status) => {
    const { publisher, bought } = await aWeeklyAd(CARDS.failing);
    await clock.passes(service, 7 * DAY_HOURS + 2);
    await becomes(publisher, bought, "PastDue");
    await changeCard(publisher, bought);
    const open = (await invoicesOf(bought)).find((invoice) => invoice.status === "open");
    const id = await subscriptionOf(bought);
    service.processor.pretend(id, status === "active" ? null : { status });

    await stripe.invoices.voidInvoice(open?.id ?? "none");

    await vi.waitFor(async () => expect(await statusesOf(bought)).toEqual(["paid", "void", "paid"]), WITHIN);
    service.processor.pretend(id, null);
    await queueReconciliation(service.database.db);
    await vi.waitFor(async () => {
      expectAbout(startOf(await becomes(publisher, bought, "Active")), clock.now());
    }, WITHIN);
    await isOnAir(publisher, bought, true);
    const subjects = (await mailsTo(service, bought.email)).map(({ subject }) => subject);
    // Where the void is seen before the charge, there was no failed payment any more.
    const told = subjects.filter((subject) => subject.includes("went through")).length;
    expect(status === "active" ? [0, 1] : [1]).toContain(told);
  },
);

it("refunds what the processor can refund in a currency of three decimals, and refuses any other amount", async () => {
  const publisher = await aPublisher(service);
  const dinars = { initialPrices: [{ amount: 10_000, intervalCount: 1, interval: "Week", currency: "kwd" }] };
  const bought = await aRunningAd(publisher, CARDS.sound, dinars);
  const { subscription } = await becomes(publisher, bought, "Active");
  const invoices = `${publisher.path}/invoices?subscriptionId=${subscription.id}`;
  const [paid] = (await publisher.caller.ok(pageOf(invoice), "GET", invoices)).items;
  const refused = await publisher.caller.request("POST", `${publisher.path}/invoices/${paid?.id}/refunds`, {
    amount: 1234,
  });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringMatching(/Only multiples of KWD\s0\.010 can be refunded\./),
  ]);
  await clock.passes(service, 37);

  await publisher.caller.ok(ad, "POST", `${bought.path}/reject`, { note: "Not for us.", refund: true });

  const [refund] = (await stripe.refunds.list({ limit: 1 })).data;
  expect(refund?.amount).toBe(7790);
});

it("tells both when a subscription ends that is canceled in a stop, and what is still due", async () => {
  const publisher = await aPublisher(service);
  const cases = [
    {
      card: CARDS.sound,
      passes: DAY_HOURS,
      says: /Your subscription ends on (.+)\. If your ad is resumed before that/,
    },
    {
      card: CARDS.failing,
      passes: 7 * DAY_HOURS + 2,
      says: /Your last payment failed\. The payment is still due\. Once it's made, your ad is shown again, for the rest of that period\. Without it, your subscription ends on (.+) at the latest/,
    },
  ];
  for (const { card, passes, says } of cases) {
    const bought = await aRunningAd(publisher, card, WEEKLY);
    await clock.passes(service, passes);
    if (card === CARDS.sound) await act(publisher, bought, "pause");
    await clock.passes(service, 10 * DAY_HOURS);
    const [item] = (await stripe.subscriptions.retrieve(await subscriptionOf(bought))).items.data;
    const day = new Date((item?.current_period_end ?? 0) * 1000).toLocaleDateString("en-US", {
      dateStyle: "long",
      timeZone: "UTC",
    });

    await stripe.subscriptions.update(await subscriptionOf(bought), { cancel_at_period_end: true });

    const told = async (email: string) =>
      (await mailsTo(service, email)).findLast(({ subject }) => subject.includes("cancel"))?.text;
    await vi.waitFor(async () => {
      expect(says.exec((await told(bought.email)) ?? "")?.[1]).toBe(day);
      const toPublisher = await told(publisher.person.email);
      expect(toPublisher).toContain(`subscription ends on ${day}`);
      expect(toPublisher).not.toContain("stays live");
    }, WITHIN);
  }
});

it("voids an invoice that was written off at the processor when it charges a new period, so that nobody pays both", async () => {
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  await changeCard(publisher, bought);
  const open = (await invoicesOf(bought)).find(({ status }) => status === "open");

  await stripe.invoices.markUncollectible(open?.id ?? "none");

  await vi.waitFor(async () => expect(await statusesOf(bought)).toEqual(["paid", "void", "paid"]), WITHIN);
  await isOnAir(publisher, bought, true);
});

it("goes on with a period that is paid when an invoice for something else is voided at the processor", async () => {
  const { publisher, bought } = await aWeeklyAd();
  const id = await subscriptionOf(bought);
  const lines = { object: "list", data: [{ parent: { subscription_item_details: { proration: true } } }] };
  const byHand = { id: "in_of_a_change", object: "invoice", status: "void", total: 900, lines };
  for (const isCanceling of [false, true]) {
    service.processor.pretend(id, { latest_invoice: byHand });
    await stripe.subscriptions.update(id, { metadata: { seen: "yes" }, cancel_at_period_end: isCanceling });
    await queueReconciliation(service.database.db);
    await vi.waitFor(async () => {
      const { subscription } = await becomes(publisher, bought, "Active");
      expect(subscription).toMatchObject({ cancelAtPeriodEnd: isCanceling, paidAmount: 7000 });
    }, WITHIN);
    await chargingSettles(service);

    await becomes(publisher, bought, "Active");
    expect(await statusesOf(bought)).toEqual(["paid"]);
  }
  service.processor.pretend(id, null);
});

it("voids what is unpaid when a workspace is deleted, before it has forgotten whom to refund", async () => {
  const { publisher, bought } = await aWeeklyAdInGrace(clock);
  await chargingSettles(service);
  // Another process is held up in a change of the subscription.
  await service.database.pool.query(
    "update subscriptions set claim = 'held', claimed_until = now() + interval '1 hour' where workspace_id = $1",
    [publisher.workspace.id],
  );

  const gone = await publisher.person.caller.request("DELETE", publisher.path, {
    name: publisher.workspace.name,
    refund: false,
  });

  expect(gone.status, gone.text).toBe(200);
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query("select from workspaces where id = $1", [
      publisher.workspace.id,
    ]);
    expect(rows).toEqual([]);
  }, WITHIN);
  expect(await statusesOf(bought)).toEqual(["paid", "void"]);
});
