import { expect, it } from "vitest";
import type { Invoice } from "#libs/contract/invoices.ts";
import { processorTime } from "#libs/domain/moment.ts";
import { refundOffer } from "./refund-offer.ts";

const paid: Invoice = {
  id: "invoice_1",
  number: "A1-0001",
  status: "paid",
  currency: "usd",
  total: 4900,
  amountPaid: 4900,
  amountDue: 4900,
  amountRefunded: 0,
  disputed: false,
  dispute: null,
  refunds: [],
  issuedAt: "2026-11-01T00:00:00.000Z",
  paidAt: "2026-11-01T00:00:00.000Z",
  periodStart: "2026-11-01T00:00:00.000Z",
  periodEnd: "2026-12-01T00:00:00.000Z",
  subscriptionId: "sub_1",
  adId: null,
  clientReference: null,
  metadata: {},
  advertiser: { id: "adv_1", name: "Coffee people", email: "ads@coffee.example" },
  hostedUrl: null,
  pdfUrl: null,
};
const RUNNING = {
  currentPeriodStart: paid.periodStart,
  currentPeriodEnd: paid.periodEnd,
  paidAmount: 4900,
  stoppedAt: null,
  endedAt: null,
};
const NOW = processorTime(Date.parse("2026-11-11T00:00:00.000Z"));

it("offers everything for an ad that never ran, and has it chosen", () => {
  const offer = refundOffer([{ ...paid, amountRefunded: 900 }, paid], false, RUNNING, NOW);

  expect(offer).toMatchObject({ label: "Refund $89.00", isUsual: true });
  expect(offer?.description).toContain("never ran");
});

it("offers the unused part for an ad that ran, and leaves the choice", () => {
  expect(refundOffer([paid], true, RUNNING, NOW)).toMatchObject({ label: "Refund $32.66", isUsual: false });
});

it("offers nothing where nothing was paid, all is refunded, or the bank took it back", () => {
  const dispute = { amount: 4900, status: "lost", evidenceDueBy: null } as const;

  expect(refundOffer([], false, RUNNING, NOW)).toBeNull();
  expect(refundOffer([{ ...paid, amountRefunded: 4900 }], false, RUNNING, NOW)).toBeNull();
  expect(refundOffer([{ ...paid, disputed: true, dispute }], false, RUNNING, NOW)).toBeNull();
});

it("offers the unused part of a period that was moved, and of a paused one from its pause on", () => {
  const moved = {
    currentPeriodStart: "2026-11-06T00:00:00.000Z",
    currentPeriodEnd: "2026-12-06T00:00:00.000Z",
    paidAmount: 4900,
    stoppedAt: null,
    endedAt: null,
  };
  const paused = { ...RUNNING, stoppedAt: "2026-11-07T00:00:00.000Z" };

  expect(refundOffer([paid], true, moved, NOW)).toMatchObject({ label: "Refund $40.83" });
  expect(refundOffer([paid], true, paused, NOW)).toMatchObject({ label: "Refund $39.20" });
});

it("offers the part that was unused when the subscription ended, without what was refunded since, or since its pause", () => {
  const ended = { ...RUNNING, endedAt: "2026-11-07T00:00:00.000Z" };
  const long = processorTime(Date.parse("2026-12-11T00:00:00.000Z"));
  const refund = { id: "refund_1", reason: null, note: null };
  const refunded = (refundedAt: string) => ({
    ...paid,
    amountRefunded: 900,
    refunds: [{ ...refund, amount: 900, refundedAt }],
  });
  const paused = { ...ended, stoppedAt: "2026-11-04T00:00:00.000Z" };

  expect(refundOffer([paid], true, ended, NOW)).toMatchObject({ label: "Refund $39.20" });
  expect(refundOffer([paid], true, ended, long)).toMatchObject({ label: "Refund $39.20" });
  expect(refundOffer([refunded("2026-11-08T00:00:00.000Z")], true, ended, NOW)?.label).toBe("Refund $30.20");
  expect(refundOffer([refunded("2026-11-06T00:00:00.000Z")], true, ended, NOW)?.label).toBe("Refund $39.20");
  expect(refundOffer([refunded("2026-11-06T00:00:00.000Z")], true, paused, NOW)?.label).toBe("Refund $35.10");
});

it("offers nothing of an earlier payment where the current period is not paid", () => {
  const owed = {
    currentPeriodStart: "2026-12-01T00:00:00.000Z",
    currentPeriodEnd: "2027-01-01T00:00:00.000Z",
    paidAmount: null,
    stoppedAt: null,
    endedAt: null,
  };
  const now = processorTime(Date.parse("2026-12-02T00:00:00.000Z"));

  expect(refundOffer([paid], true, owed, now)).toBeNull();
});

it("offers nothing of an earlier payment where a credit has paid the current period, or its amount was carried", () => {
  const earlier = { ...paid, periodStart: "2026-10-01T00:00:00.000Z", periodEnd: "2026-11-01T00:00:00.000Z" };
  const byCredit = { ...paid, id: "invoice_2", amountPaid: 0, amountDue: 0 };
  const carried = { ...byCredit, total: 49 };

  expect(refundOffer([byCredit, earlier], true, RUNNING, NOW)).toBeNull();
  expect(refundOffer([carried, earlier], true, { ...RUNNING, paidAmount: 49 }, NOW)).toBeNull();
  expect(refundOffer([byCredit, earlier], false, RUNNING, NOW)).toMatchObject({ label: "Refund $49.00" });
});

it("offers the unused part of the period where a later invoice of something else was paid", () => {
  const at = "2026-11-08T00:00:00.000Z";
  const change = {
    ...paid,
    id: "invoice_2",
    total: 900,
    amountPaid: 900,
    amountDue: 900,
    periodStart: at,
    periodEnd: at,
  };
  const moved = { ...RUNNING, currentPeriodEnd: "2026-12-02T00:00:00.000Z" };

  expect(refundOffer([change, paid], true, moved, NOW)).toEqual(refundOffer([paid], true, moved, NOW));
});
