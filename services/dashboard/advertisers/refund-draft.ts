import { REFUND_REASONS, type RefundReason } from "#libs/domain/invoice.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { chargeStep } from "#libs/domain/money.ts";
import { countCharacters } from "#libs/domain/storable-text.ts";
import { readAmount } from "../components/amount-text.ts";
import { formatMoney } from "../components/format.ts";
import type { Checked } from "../components/forms/check-input.ts";
import { oneOf } from "../components/search.ts";

/** A refund in a form, as typed. */
export interface RefundDraft {
  /** Everything that is left, or the amount. */
  readonly extent: "all" | "part";
  /** In whole units. */
  readonly amount: string;
  /** Empty for none. */
  readonly reason: string;
  readonly note: string;
}

export interface RefundInput {
  readonly amount: number;
  readonly reason?: RefundReason;
  readonly note?: string;
}

export const EMPTY_REFUND: RefundDraft = { extent: "all", amount: "", reason: "", note: "" };

/** The names of the reasons. */
export const REASON_WORDS: Readonly<Record<RefundReason, string>> = {
  requested_by_customer: "Requested by the advertiser",
  duplicate: "Duplicate charge",
  fraudulent: "Fraudulent payment",
};

/** Checks a refund of at most `left` and converts it to what the API takes. */
export function checkRefund(draft: RefundDraft, left: number, currency: string): Checked<RefundInput> {
  const errors: Record<string, string> = {};
  const read = draft.extent === "all" ? { amount: left } : readPart(draft.amount, left, currency);
  if ("problem" in read) errors.amount = read.problem;
  const note = draft.note.trim();
  if (countCharacters(note) > LONGEST.refundNote) {
    errors.note = `Must have at most ${LONGEST.refundNote} characters.`;
  }
  if ("problem" in read || Object.keys(errors).length > 0) return { errors };
  const reason = oneOf(REFUND_REASONS, draft.reason);
  return {
    input: {
      amount: read.amount,
      ...(reason === null ? {} : { reason }),
      ...(note === "" ? {} : { note }),
    },
  };
}

function readPart(text: string, left: number, currency: string) {
  if (text.trim() === "") return { problem: "Enter the amount to refund." };
  const read = readAmount(text, currency);
  if ("problem" in read) return read;
  if (read.amount === 0) return { problem: "Must be more than 0." };
  if (read.amount > left) return { problem: `At most ${formatMoney(left, currency)} is left to refund.` };
  const step = chargeStep(currency);
  return read.amount % step === 0
    ? read
    : { problem: `Only multiples of ${formatMoney(step, currency)} can be refunded.` };
}
