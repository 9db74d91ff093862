import { ApiError, invalidRequest } from "./api-error.ts";
import { customerOf } from "./billing.ts";
import { newStripeId } from "./ids.ts";
import type { Charge, Dispute, Refund } from "./records.ts";
import type { World } from "./world.ts";

const EVIDENCE_WITHIN = 7 * 86_400;

export type RefundReason = "duplicate" | "fraudulent" | "requested_by_customer";

/** Gives money back, all that is left of the charge unless said otherwise. Throws `ApiError` 400 for more than that. */
export function refundCharge(
  world: World,
  charge: Charge,
  terms: {
    readonly amount?: number | undefined;
    readonly reason?: RefundReason | undefined;
    readonly metadata?: Readonly<Record<string, string>>;
  },
): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  if (!charge.paid) throw invalidRequest("This charge has not succeeded.", "charge");
  if (left <= 0) throw refused("charge_already_refunded", `Charge ${charge.id} has already been refunded.`);
  if (charge.disputed) throw refused("charge_disputed", `Charge ${charge.id} has been charged back.`);
  const amount = terms.amount ?? left;
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`,
      "amount",
    );
  }
  const now = world.now();
  const refund: Refund = {
    id: newStripeId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: { card: { type: "refund" }, type: "card" },
    metadata: { ...terms.metadata },
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: terms.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
  const refunded = { ...charge, amount_refunded: charge.amount_refunded + amount, refunded: amount === left };
  world.records.save("refund", refund);
  world.records.save("charge", refunded);
  world.emit("refund.created", refund);
  world.emit("charge.refunded", refunded, {
    amount_refunded: charge.amount_refunded,
    refunded: charge.refunded,
  });
  return refund;
}

/** The customer's bank takes the charge back until the dispute is closed. Throws `ApiError` 400 when it cannot. */
export function disputeCharge(world: World, charge: Charge, reason: string): Dispute {
  if (!charge.paid || charge.refunded) throw invalidRequest("There is nothing left to dispute.", "charge");
  if (charge.disputed) throw refused("charge_disputed", `Charge ${charge.id} has been charged back.`);
  const now = world.now();
  const card = charge.payment_method_details?.card;
  const dispute: Dispute = {
    id: newStripeId("du"),
    object: "dispute",
    amount: charge.amount_captured - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...NO_EVIDENCE, customer_email_address: customerOf(world, charge.customer).email },
    evidence_details: {
      due_by: now + EVIDENCE_WITHIN,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand: card?.brand ?? "visa",
        case_type: "chargeback",
        network: card?.brand ?? "visa",
        network_reason_code: null,
      },
      type: "card",
    },
    reason,
    status: "needs_response",
  };
  world.records.save("dispute", dispute);
  world.records.save("charge", { ...charge, disputed: true });
  world.emit("charge.dispute.created", dispute);
  return dispute;
}

/** Ends a dispute for the seller or against them. Throws `ApiError` 400 when it is over. */
export function closeDispute(world: World, dispute: Dispute, status: "won" | "lost"): Dispute {
  if (dispute.status === "won" || dispute.status === "lost") {
    throw invalidRequest("This dispute is already closed.", "dispute");
  }
  const closed = { ...dispute, status };
  world.records.save("dispute", closed);
  world.emit("charge.dispute.closed", closed, { status: dispute.status });
  return closed;
}

function refused(code: string, message: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", code, message, param: "charge" });
}

const NO_EVIDENCE: Dispute["evidence"] = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
