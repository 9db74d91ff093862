import fc from "fast-check";
import { expect, it } from "vitest";
import { lateRefund, movedPeriods, type PaidInvoice, rejectionRefund } from "./rejection-refund.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-11-01T00:00:00.000Z");

function anInvoice(changes: Partial<PaidInvoice> = {}): PaidInvoice {
  return {
    total: changes.amountPaid ?? 4900,
    amountPaid: 4900,
    currency: "usd",
    amountRefunded: 0,
    refundedSince: 0,
    periodStart: START,
    periodEnd: START + 30 * DAY,
    ...changes,
  };
}

function amountOf(invoices: readonly PaidInvoice[], hasRun: boolean, endedAt: number): number {
  return invoices.reduce((sum, invoice) => sum + rejectionRefund(invoice, { hasRun, endedAt }), 0);
}

const amounts = fc
  .tuple(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([amountPaid, share]) => ({ amountPaid, amountRefunded: Math.floor(amountPaid * share) }));
const periods = fc
  .tuple(fc.integer({ min: 0, max: 2_000_000_000 }), fc.integer({ min: 1, max: 3 * 366 * 86_400 }))
  .map(([start, length]) => ({ periodStart: start * 1000, periodEnd: (start + length) * 1000 }));
const invoice = fc
  .tuple(amounts, periods, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([amount, period, share]) => {
    return {
      total: amount.amountPaid,
      ...amount,
      ...period,
      currency: "usd",
      refundedSince: Math.floor(amount.amountRefunded * share),
    };
  });
const moments = fc.integer({ min: 0, max: 2_200_000_000_000 });

it("refunds everything that was paid for an ad that never ran", () => {
  const rejected = { hasRun: false, endedAt: START + 40 * DAY };

  expect(rejectionRefund(anInvoice(), rejected)).toBe(4900);
  expect(rejectionRefund(anInvoice({ amountRefunded: 900, periodEnd: START + DAY }), rejected)).toBe(4000);
});

it("refunds the unused part of the current period of an ad that ran, rounded down once", () => {
  const earlier = anInvoice({ periodStart: START - 30 * DAY, periodEnd: START });

  expect(amountOf([anInvoice(), earlier], true, START + 10 * DAY)).toBe(3266);
  expect(amountOf([anInvoice()], true, START)).toBe(4900);
  expect(amountOf([anInvoice()], true, START + 30 * DAY - 1000)).toBe(0);
  expect(amountOf([anInvoice()], true, START + 30 * DAY)).toBe(0);
  expect(amountOf([anInvoice({ amountRefunded: 4800 })], true, START + 10 * DAY)).toBe(100);
});

it.each([
  ["kwd", 10, 3260],
  ["isk", 100, 3200],
  ["jpy", 1, 3266],
])("refunds in %s a multiple of %i, and everything that is left", (currency, step, amount) => {
  expect(amountOf([anInvoice({ currency })], true, START + 10 * DAY)).toBe(amount);
  expect(lateRefund(anInvoice({ currency }), START + 10 * DAY)).toBe(amount);
  expect(amount % step).toBe(0);
  expect(amountOf([anInvoice({ currency })], false, START + 10 * DAY)).toBe(4900);
});

it("refunds for a period's time what the period cost, though its charge settled an earlier one as well, or was less by a credit", () => {
  const withEarlier = anInvoice({ total: 45, amountPaid: 90 });
  const withCredit = anInvoice({ total: 4900, amountPaid: 2450 });

  expect(amountOf([withEarlier], true, START + 10 * DAY)).toBe(30);
  expect(lateRefund(withEarlier, START - DAY)).toBe(45);
  expect(amountOf([withEarlier], false, START + 10 * DAY)).toBe(90);
  expect(amountOf([withCredit], true, START + 10 * DAY)).toBe(1633);
});

it.each([
  ["kwd", 909, 910],
  ["isk", 990, 1000],
  ["jpy", 909, 909],
])(
  "refunds in %s the whole charge of a period that was not used, of which %i is the total and %i was charged",
  (currency, total, amountPaid) => {
    const rounded = anInvoice({ currency, total, amountPaid });

    expect(lateRefund(rounded, START - DAY)).toBe(amountPaid);
    expect(amountOf([rounded], true, START)).toBe(amountPaid);
  },
);

it("counts what was refunded since the end, so that the same time is not paid back twice", () => {
  const half = anInvoice({ amountRefunded: 1633, refundedSince: 1633 });
  const all = anInvoice({ amountRefunded: 3266, refundedSince: 3266 });

  expect(amountOf([half], true, START + 10 * DAY)).toBe(1633);
  expect(amountOf([all], true, START + 10 * DAY)).toBe(0);
  expect(amountOf([all], false, START + 10 * DAY)).toBe(1634);
});

it("never refunds more than is left of an invoice", () => {
  fc.assert(
    fc.property(invoice, fc.boolean(), moments, (given, hasRun, endedAt) => {
      const amount = rejectionRefund(given, { hasRun, endedAt });

      expect(Number.isSafeInteger(amount)).toBe(true);
      expect(amount).toBeGreaterThanOrEqual(0);
      expect(amount).toBeLessThanOrEqual(given.amountPaid - given.amountRefunded);
    }),
  );
});

it("refunds at least as much for an ad that never ran as for one that did", () => {
  fc.assert(
    fc.property(invoice, moments, (given, endedAt) => {
      expect(amountOf([given], false, endedAt)).toBeGreaterThanOrEqual(amountOf([given], true, endedAt));
    }),
  );
});

it("refunds no more the later the subscription ends, and used and unused make the whole but for one unit", () => {
  fc.assert(
    fc.property(amounts, periods, moments, moments, ({ amountPaid }, period, one, other) => {
      const of = anInvoice({ amountPaid, ...period });
      const length = period.periodEnd - period.periodStart;
      const [early = 0, late = 0] = [one, other]
        .map((moment) => period.periodStart + (moment % length))
        .toSorted((a, b) => a - b);

      expect(amountOf([of], true, early)).toBeGreaterThanOrEqual(amountOf([of], true, late));

      const until = Math.floor(late / 1000) * 1000;
      const used = amountOf([of], true, period.periodEnd - (until - period.periodStart));
      const lost = amountPaid - amountOf([of], true, until) - used;
      if (until > period.periodStart) expect([0, 1]).toContain(lost);
    }),
  );
});

it("refunds of a payment after the end the time off the air, and what was refunded already only once", () => {
  expect(lateRefund(anInvoice(), START - DAY)).toBe(4900);
  expect(lateRefund(anInvoice(), START)).toBe(4900);
  expect(lateRefund(anInvoice(), START + 10 * DAY)).toBe(3266);
  expect(lateRefund(anInvoice({ amountRefunded: 3266, refundedSince: 3266 }), START + 10 * DAY)).toBe(0);
  expect(lateRefund(anInvoice(), START + 30 * DAY)).toBe(0);
});

it("takes the period of the current invoice from the subscription, which knows that it was moved", () => {
  const paidFor = movedPeriods<PaidInvoice & { readonly id: string }>({
    periodInvoiceId: "in_2",
    currentPeriodStart: START + DAY,
    currentPeriodEnd: START + 31 * DAY,
  });

  expect(paidFor({ ...anInvoice(), id: "in_2" })).toMatchObject({
    periodStart: START + DAY,
    periodEnd: START + 31 * DAY,
  });
  expect(paidFor({ ...anInvoice(), id: "in_1" })).toMatchObject({ periodStart: START });
});

it("gives each of several early renewals its own part of the period that they make", () => {
  const approvedAt = START + 90 * DAY;
  const paidFor = movedPeriods<PaidInvoice & { readonly id: string }>({
    periodInvoiceId: "in_3",
    currentPeriodStart: approvedAt,
    currentPeriodEnd: approvedAt + 60 * DAY,
  });
  const invoices = [2, 1, 0].map((n) => {
    const periods = { periodStart: START + n * 30 * DAY, periodEnd: START + (n + 1) * 30 * DAY };
    return paidFor({ ...anInvoice(periods), id: `in_${n + 1}` });
  });

  expect(invoices).toMatchObject([
    { periodStart: approvedAt + 30 * DAY, periodEnd: approvedAt + 60 * DAY },
    { periodStart: approvedAt, periodEnd: approvedAt + 30 * DAY },
    { periodStart: START, periodEnd: START + 30 * DAY },
  ]);
  expect(amountOf(invoices, true, approvedAt + 15 * DAY)).toBe(4900 + 2450);
  expect(amountOf(invoices, true, approvedAt + 45 * DAY)).toBe(2450);
});
