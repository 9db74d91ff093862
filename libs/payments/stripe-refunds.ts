import type { Stripe } from "stripe";
import type { Account } from "./accounts.ts";
import { PaymentsError } from "./errors.ts";
import type { ProcessorRefund } from "./money.ts";
import type { Payments, RefundRequest } from "./payments.ts";
import { answered, callStripe, isRefusal, isRepeatedFailure } from "./stripe-errors.ts";
import { REFUND_METADATA, readCharge, readRefundObject, refundsOf } from "./stripe-money.ts";
import { inAccount, newIntent, writeIn } from "./stripe-request.ts";
import { idOf } from "./stripe-vocabulary.ts";

/** Refunds what was paid for invoices. */
export function refundCalls(stripe: Stripe): Pick<Payments, "readChargeOfInvoice" | "refundCharge"> {
  return {
    readChargeOfInvoice: (invoiceId, account) =>
      callStripe(async () => {
        const id = await chargeOf(stripe, invoiceId, account);
        return id === null ? null : await readCharge(stripe, id, account);
      }),

    refundCharge: (chargeId, request) => callStripe(() => refundOnce(stripe, chargeId, request)),
  };
}

/** The charge of an invoice's payment. */
async function chargeOf(stripe: Stripe, invoiceId: string, account: Account): Promise<string | null> {
  const payments = await stripe.invoicePayments.list(
    { invoice: invoiceId, status: "paid", limit: 1, expand: ["data.payment.payment_intent"] },
    inAccount(account),
  );
  const intent = answered("list", payments).data[0]?.payment.payment_intent;
  if (intent === undefined || typeof intent === "string" || intent.latest_charge === null) return null;
  return idOf(intent.latest_charge);
}

/**
 * Never makes a refund twice. Stripe forgets idempotency keys after a day, so a refund keeps its key in its metadata. That
 * is also looked up where Stripe repeats a failure: the refund may have been made all the same.
 */
async function refundOnce(
  stripe: Stripe,
  chargeId: string,
  request: RefundRequest,
): Promise<ProcessorRefund> {
  const known = await findRefund(stripe, chargeId, request);
  if (known !== undefined) return known;
  try {
    // With the amount, so that a refused one does not stand in the way of less.
    return await createRefund(stripe, chargeId, request, `${request.idempotencyKey}-${request.amount}`);
  } catch (error) {
    if (isRefusedRefund(error)) {
      throw new PaymentsError("REFUND_REFUSED", "The payment processor refuses this refund of the charge.");
    }
    if (!isRepeatedFailure(error)) throw error;
    const made = await findRefund(stripe, chargeId, request);
    return made ?? (await createRefund(stripe, chargeId, request, newIntent("refund")));
  }
}

async function findRefund(
  stripe: Stripe,
  chargeId: string,
  { account, idempotencyKey }: RefundRequest,
): Promise<ProcessorRefund | undefined> {
  const refunds = await refundsOf(stripe, chargeId, account);
  return refunds.find((refund) => refund.idempotencyKey === idempotencyKey);
}

async function createRefund(
  stripe: Stripe,
  chargeId: string,
  { account, amount, reason, note, idempotencyKey }: RefundRequest,
  writeKey: string,
): Promise<ProcessorRefund> {
  const refund = await stripe.refunds.create(
    {
      charge: chargeId,
      amount,
      ...((await hasFee(stripe, chargeId, account)) ? { refund_application_fee: true } : {}),
      ...(reason === undefined ? {} : { reason }),
      metadata: {
        [REFUND_METADATA.key]: idempotencyKey,
        ...(note === undefined ? {} : { [REFUND_METADATA.note]: note }),
      },
    },
    writeIn(account, writeKey),
  );
  return readRefundObject(answered("refund", refund));
}

/** Whether the platform has kept a share of a charge: it gives back its share of what is refunded. */
async function hasFee(stripe: Stripe, chargeId: string, account: Account): Promise<boolean> {
  if (account === null) return false;
  const { application_fee_amount: fee } = answered(
    "charge",
    await stripe.charges.retrieve(chargeId, {}, inAccount(account)),
  );
  return fee !== null && fee > 0;
}

/** Whether Stripe says that the charge cannot be refunded by that much. */
function isRefusedRefund(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { code, param } = error;
  return code === "charge_already_refunded" || code === "charge_disputed" || param === "amount";
}
