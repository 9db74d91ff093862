import type { RefundReason } from "#libs/domain/invoice.ts";
import { chargeStep } from "#libs/domain/money.ts";
import { ApiError, invalidRequest } from "./api-error.ts";
import type { Engine } from "./engine.ts";
import { newStripeId } from "./ids.ts";
import type { Charge, Dispute, Refund } from "./records.ts";

/** The time in which a bank takes evidence, in seconds. */
const EVIDENCE_DUE_AFTER = 14 * 86_400;

export interface RefundTerms {
  /** Default everything that is left of the charge. */
  readonly amount?: number | undefined;
  readonly reason?: RefundReason | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Whether the platform gives back its share of what is refunded. */
  readonly refund_application_fee?: boolean | undefined;
}

/** Refunds a charge. Throws `ApiError` 400 for more than is left of it. */
export function refundCharge(engine: Engine, charge: Charge, terms: RefundTerms): Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  if (!charge.paid) throw invalidRequest("This charge has not succeeded.", "charge");
  if (left <= 0) throw refused("charge_already_refunded", `Charge ${charge.id} has already been refunded.`);
  if (isChargedBack(engine, charge)) {
    throw refused("charge_disputed", `Charge ${charge.id} has been charged back.`);
  }
  const amount = terms.amount ?? left;
  if (amount < 1) throw invalidRequest("A refund must be at least 1.", "amount");
  const step = chargeStep(charge.currency);
  if (amount % step !== 0) {
    throw invalidRequest(`Amounts in ${charge.currency} must be divisible by ${step}`, "amount");
  }
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`,
      "amount",
    );
  }
  const { application_fee_amount: fee, application_fee_refunded: feeBefore = 0 } = charge;
  const givesBack = terms.refund_application_fee === true;
  if (givesBack && fee === null) {
    throw invalidRequest(`Charge ${charge.id} has no application fee.`, "refund_application_fee");
  }
  const feeBack = givesBack ? Math.round(((fee ?? 0) * amount) / charge.amount_captured) : 0;
  const { id, amount_refunded, refunded, currency, payment_intent } = charge;
  const refund: Refund = {
    id: newStripeId("re"),
    object: "refund",
    amount,
    charge: id,
    created: engine.now(),
    currency,
    metadata: { ...terms.metadata },
    payment_intent,
    reason: terms.reason ?? null,
    status: "succeeded",
  };
  const after = {
    ...charge,
    amount_refunded: amount_refunded + amount,
    refunded: amount === left,
    application_fee_refunded: Math.min(fee ?? 0, feeBefore + feeBack),
  };
  engine.records.save("refund", refund);
  engine.records.save("charge", after);
  engine.emit("refund.created", refund);
  engine.emit("charge.refunded", after, { amount_refunded, refunded });
  if (after.refunded) settleInquiry(engine, charge);
  return refund;
}

/**
 * The customer's bank takes the charge back until the dispute is closed; as an inquiry it only asks about it. An inquiry becomes a
 * dispute by a second call. Throws `ApiError` 400 when it can't.
 */
export function disputeCharge(
  engine: Engine,
  charge: Charge,
  { reason, isInquiry = false }: { readonly reason: string; readonly isInquiry?: boolean },
): Dispute {
  const inquiry = inquiryOf(engine, charge);
  if (inquiry !== undefined && !isInquiry) return changeDispute(engine, inquiry, "needs_response");
  if (!charge.paid || charge.refunded) throw invalidRequest("There is nothing left to dispute.", "charge");
  if (charge.disputed) throw refused("charge_disputed", `Charge ${charge.id} has been charged back.`);
  const dispute: Dispute = {
    id: newStripeId("du"),
    object: "dispute",
    amount: charge.amount_captured - charge.amount_refunded,
    charge: charge.id,
    created: engine.now(),
    currency: charge.currency,
    evidence_details: { due_by: engine.now() + EVIDENCE_DUE_AFTER },
    payment_intent: charge.payment_intent,
    reason,
    status: isInquiry ? "warning_needs_response" : "needs_response",
  };
  engine.records.save("dispute", dispute);
  engine.records.save("charge", { ...charge, disputed: true });
  engine.emit("charge.dispute.created", dispute);
  return dispute;
}

function changeDispute(engine: Engine, dispute: Dispute, status: Dispute["status"]): Dispute {
  const changed = { ...dispute, status };
  engine.records.save("dispute", changed);
  engine.emit("charge.dispute.updated", changed, { status: dispute.status });
  return changed;
}

/** A refund of everything answers the bank's question. */
function settleInquiry(engine: Engine, charge: Charge): void {
  const inquiry = inquiryOf(engine, charge);
  if (inquiry === undefined) return;
  const closed: Dispute = { ...inquiry, status: "warning_closed" };
  engine.records.save("dispute", closed);
  engine.emit("charge.dispute.closed", closed, { status: inquiry.status });
}

function inquiryOf({ records }: Engine, { id }: Charge): Dispute | undefined {
  const [latest] = records.list("dispute", { where: { charge: id }, limit: 1 });
  return latest?.status === "warning_needs_response" ? latest : undefined;
}

/** Ends a dispute. Throws `ApiError` 400 for one that has ended. */
export function closeDispute(engine: Engine, dispute: Dispute, outcome: "won" | "lost"): Dispute {
  const { status } = dispute;
  if (status === "won" || status === "lost" || status === "warning_closed") {
    throw invalidRequest("This dispute is closed.", "dispute");
  }
  const isInquiry = status === "warning_needs_response";
  const closed: Dispute = { ...dispute, status: isInquiry ? "warning_closed" : outcome };
  engine.records.save("dispute", closed);
  engine.emit("charge.dispute.closed", closed, { status });
  return closed;
}

/** Whether the bank has the money: while it has not decided for the seller. */
function isChargedBack({ records }: Engine, charge: Charge): boolean {
  if (!charge.disputed) return false;
  const [latest] = records.list("dispute", { where: { charge: charge.id }, limit: 1 });
  return latest?.status !== "won" && latest?.status.startsWith("warning_") !== true;
}

function refused(code: string, message: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", code, message, param: "charge" });
}
