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
  advertiser: { id: "adv_1", name: "Coffee people", email: "ads@coffee.example" },
  hostedUrl: null,
  pdfUrl: null,
};
const NOW = processorTime(Date.parse("2026-11-11T00:00:00.000Z"));

it("offers everything for an ad that never ran, and has it chosen", () => {
  const offer = refundOffer([{ ...paid, amountRefunded: 900 }, paid], false, NOW);

  expect(offer).toMatchObject({ label: "Refund $89.00", isUsual: true });
  expect(offer?.description).toContain("never ran");
});

it("offers the unused part for an ad that ran, and leaves the choice", () => {
  expect(refundOffer([paid], true, NOW)).toMatchObject({ label: "Refund $32.66", isUsual: false });
});

it("offers nothing where nothing was paid, all is refunded, or the bank took it back", () => {
  const dispute = { amount: 4900, status: "lost", evidenceDueBy: null } as const;

  expect(refundOffer([], false, NOW)).toBeNull();
  expect(refundOffer([{ ...paid, amountRefunded: 4900 }], false, NOW)).toBeNull();
  expect(refundOffer([{ ...paid, disputed: true, dispute }], false, NOW)).toBeNull();
});
