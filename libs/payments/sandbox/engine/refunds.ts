import type { RefundReason } from "#libs/domain/invoice.ts";
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
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`,
      "amount",
    );
  }
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
  const after = { ...charge, amount_refunded: amount_refunded + amount, refunded: amount === left };
  engine.records.save("refund", refund);
  engine.records.save("charge", after);
  engine.emit("refund.created", refund);
  engine.emit("charge.refunded", after, { amount_refunded, refunded });
  return refund;
}

/** The customer's bank takes the charge back until the dispute is closed. Throws `ApiError` 400 when it can't. */
export function disputeCharge(engine: Engine, charge: Charge, reason: string): Dispute {
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
    status: "needs_response",
  };
  engine.records.save("dispute", dispute);
  engine.records.save("charge", { ...charge, disputed: true });
  engine.emit("charge.dispute.created", dispute);
  return dispute;
}

/** Ends a dispute. Throws `ApiError` 400 for one that has ended. */
export function closeDispute(engine: Engine, dispute: Dispute, outcome: "won" | "lost"): Dispute {
  const { status } = dispute;
  if (status === "won" || status === "lost") throw invalidRequest("This dispute is closed.", "dispute");
  const closed = { ...dispute, status: outcome };
  engine.records.save("dispute", closed);
  engine.emit("charge.dispute.closed", closed, { status });
  return closed;
}

/** Whether the bank has the money: while it has not decided for the seller. */
function isChargedBack({ records }: Engine, charge: Charge): boolean {
  if (!charge.disputed) return false;
  const [latest] = records.list("dispute", { where: { charge: charge.id }, limit: 1 });
  return latest?.status !== "won";
}

function refused(code: string, message: string): ApiError {
  return new ApiError(400, { type: "invalid_request_error", code, message, param: "charge" });
}
