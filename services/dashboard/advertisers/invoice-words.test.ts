import { expect, it } from "vitest";
import { invoiceNotes, invoicesFile } from "./invoice-words.ts";

const paid = {
  status: "paid",
  currency: "usd",
  total: 4900,
  amountPaid: 4900,
  amountDue: 4900,
  amountRefunded: 0,
  disputed: false,
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

it("downloads the invoices in view", () => {
  expect(invoicesFile("ws_1", "adv_1", "paid")).toBe(
    "/v1/workspaces/ws_1/invoices.csv?advertiserId=adv_1&status=paid",
  );
  expect(invoicesFile("ws_1", "a&b")).toBe("/v1/workspaces/ws_1/invoices.csv?advertiserId=a%26b");
});
