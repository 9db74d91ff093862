import { type Card, cardEnding } from "./cards.ts";
import type { Engine } from "./engine.ts";
import { newStripeId } from "./ids.ts";
import type { Charge, Invoice, InvoicePayment, PaymentIntent, PaymentMethod } from "./records.ts";

/** Keeps a card for a customer. */
export function keepCard(engine: Engine, card: Card, customer: string): PaymentMethod {
  const method: PaymentMethod = {
    id: newStripeId("pm"),
    object: "payment_method",
    card: { brand: card.brand, last4: card.last4 },
    created: engine.now(),
    customer,
    type: "card",
  };
  engine.records.save("paymentMethod", method);
  return method;
}

/** Opens the payment of an invoice, as Stripe does when it finalizes the invoice. */
export function openPayment({ records, now }: Engine, invoice: Invoice, fee: number | null): void {
  const intent: PaymentIntent = {
    id: newStripeId("pi"),
    object: "payment_intent",
    amount: invoice.amount_due,
    application_fee_amount: fee,
    created: now(),
    currency: invoice.currency,
    customer: invoice.customer,
    latest_charge: null,
    status: "requires_payment_method",
  };
  const payment: InvoicePayment = {
    id: newStripeId("inpay"),
    object: "invoice_payment",
    amount_paid: null,
    created: now(),
    invoice: invoice.id,
    payment: { payment_intent: intent.id, type: "payment_intent" },
    status: "open",
  };
  records.save("paymentIntent", intent);
  records.save("invoicePayment", payment);
}

/** Tries to charge an open invoice; returns whether the card was approved. The invoice stays as it is. */
export function charge(
  { records, now }: Engine,
  invoice: Invoice,
  { card: kept, customer }: PaymentMethod,
  onSession: boolean,
): boolean {
  const card = cardEnding(kept.last4);
  const approved =
    card !== undefined && (onSession ? card.onSession !== "declined" : card.offSession === "approved");
  const [payment] = records.list("invoicePayment", { where: { invoice: invoice.id }, limit: 1 });
  if (payment === undefined) throw new Error(`Invoice ${invoice.id} has no payment.`);
  const intent = records.get("paymentIntent", payment.payment.payment_intent);
  const attempt: Charge = {
    id: newStripeId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: approved ? intent.amount : 0,
    amount_refunded: 0,
    application_fee_amount: intent.application_fee_amount,
    created: now(),
    currency: intent.currency,
    customer,
    disputed: false,
    failure_code: approved ? null : "card_declined",
    paid: approved,
    payment_intent: intent.id,
    payment_method_details: { card: kept, type: "card" },
    refunded: false,
    status: approved ? "succeeded" : "failed",
  };
  records.save("charge", attempt);
  records.save("paymentIntent", {
    ...intent,
    latest_charge: attempt.id,
    status: approved ? "succeeded" : "requires_payment_method",
  });
  if (approved) {
    records.save("invoicePayment", { ...payment, amount_paid: intent.amount, status: "paid" });
  }
  return approved;
}
