/** A test card and what it does. Its last four digits are those of Stripe's test card that does the same, but 0341 pays once here only. */
export interface Card {
  readonly last4: string;
  readonly brand: "visa" | "mastercard";
  /** As the hosted pages offer it. */
  readonly label: string;
  /** How a payment ends that the customer makes on a hosted page. */
  readonly onSession: "approved" | "declined" | "asks the bank";
  /** How a payment ends without the customer, such as a renewal. */
  readonly offSession: "approved" | "declined";
  readonly declineCode: "generic_decline" | "insufficient_funds";
}

const GOOD = {
  brand: "visa",
  label: "pays",
  onSession: "approved",
  offSession: "approved",
  declineCode: "generic_decline",
} as const;
const DECLINED = { ...GOOD, label: "is declined", onSession: "declined", offSession: "declined" } as const;

export const CARDS: readonly Card[] = [
  { ...GOOD, last4: "4242" },
  { ...GOOD, last4: "4444", brand: "mastercard" },
  { ...GOOD, last4: "0341", label: "pays now, fails at every renewal", offSession: "declined" },
  { ...GOOD, last4: "3155", label: "asks the bank for approval", onSession: "asks the bank" },
  { ...DECLINED, last4: "0002" },
  { ...DECLINED, last4: "9995", label: "has insufficient funds", declineCode: "insufficient_funds" },
];

/** The card where none is chosen. */
export const DEFAULT_CARD = "4242";

/** The card that ends in these digits. */
export function cardEnding(last4: string): Card | undefined {
  return CARDS.find((card) => card.last4 === last4);
}
