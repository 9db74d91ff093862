import { expect, it } from "vitest";
import type { Payments } from "#libs/payments/index.ts";
import { aPrice } from "#libs/payments/tests/requests.ts";
import { runSandbox } from "#libs/payments/tests/running-sandbox.ts";
import { subscribe } from "#libs/payments/tests/sales.ts";
import { continuePeriod } from "./continue-period.ts";

it("asks once, and no more, of a processor that has not charged an invoice when it said so", async () => {
  const sandbox = await runSandbox();
  const payer = { email: "broke@harbour.example", card: "0341" };
  const { id } = await subscribe(sandbox, aPrice({ interval: "Week" }), {}, payer);
  await sandbox.advance(8);
  const write = { account: null, idempotencyKey: crypto.randomUUID() };
  const at = Date.now() + 8 * 86_400_000;
  const stopped = await sandbox.payments.stopSubscription(id, { ...write, reason: "unpaid", at });
  let asked = 0;
  const late: Payments = {
    ...sandbox.payments,
    payInvoice: async (invoiceId, { account }) => {
      asked += 1;
      if (asked > 10) throw new Error("It asks without an end.");
      return { ...(await sandbox.payments.readInvoice(invoiceId, account)), status: "paid" };
    },
  };

  const continuing = continuePeriod({ payments: late, now: Date.now }, { id, account: null }, stopped);

  await expect(continuing).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: true });
  expect(asked).toBe(1);
  await sandbox.close();
});
