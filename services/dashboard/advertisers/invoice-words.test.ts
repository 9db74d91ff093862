import { expect, it } from "vitest";
import { amountLeft, invoiceNotes, invoicesFile } from "./invoice-words.ts";

const paid = {
  status: "paid",
  currency: "usd",
  total: 4900,
  amountPaid: 4900,
  amountDue: 4900,
  amountRefunded: 0,
  disputed: false,
  dispute: null,
} as const;

it("has no notes if the total was paid", () => {
  expect(invoiceNotes(paid)).toEqual([]);
  expect(invoiceNotes({ ...paid, status: "open", amountPaid: 0 })).toEqual([]);
});

it("notes refunds, amounts due and disputes", () => {
  expect(invoiceNotes({ ...paid, amountRefunded: 900 })).toEqual(["$9.00 refunded"]);
  expect(invoiceNotes({ ...paid, amountRefunded: 4900, disputed: true })).toEqual([
    "Refunded in full",
    "Disputed at the bank",
  ]);
  expect(invoiceNotes({ ...paid, status: "open", amountPaid: 0, amountDue: 1000 })).toEqual(["$10.00 due"]);
  expect(invoiceNotes({ ...paid, amountPaid: 1900 })).toEqual(["$19.00 paid"]);
});

it("notes the amount, the deadline and the end of a dispute", () => {
  const disputed = (status: "needs_response" | "under_review" | "won" | "lost", due = true) => {
    const evidenceDueBy = due ? "2026-12-05T12:00:00.000Z" : null;
    return invoiceNotes({ ...paid, disputed: true, dispute: { amount: 4900, status, evidenceDueBy } });
  };

  expect(disputed("needs_response")).toEqual(["$49.00 disputed, evidence due by Dec 5, 2026"]);
  expect(disputed("needs_response", false)).toEqual(["$49.00 disputed"]);
  expect(disputed("under_review")).toEqual(["$49.00 disputed, the bank is reviewing it"]);
  expect(disputed("won")).toEqual(["Dispute won"]);
  expect(disputed("lost")).toEqual(["Dispute lost: $49.00 went back"]);
});

it("leaves to refund what was paid and neither refunded nor taken back by the bank", () => {
  const dispute = { amount: 4900, evidenceDueBy: null };

  expect(amountLeft({ ...paid, amountRefunded: 900 })).toBe(4000);
  expect(amountLeft({ ...paid, status: "open", amountPaid: 0 })).toBe(0);
  expect(amountLeft({ ...paid, disputed: true, dispute: { ...dispute, status: "lost" } })).toBe(0);
  expect(amountLeft({ ...paid, disputed: true, dispute: { ...dispute, status: "won" } })).toBe(4900);
});

it("downloads the invoices in view", () => {
  expect(invoicesFile("ws_1", { advertiserId: "adv_1", status: "paid" })).toBe(
    "/v1/workspaces/ws_1/invoices.csv?advertiserId=adv_1&status=paid",
  );
  expect(invoicesFile("ws_1", { query: "a&b" })).toBe("/v1/workspaces/ws_1/invoices.csv?query=a%26b");
});
