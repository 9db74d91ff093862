/** A card of the sandbox, by what it does. */
export interface Card {
  /** Also what it is chosen by. */
  readonly last4: string;
  readonly brand: "visa" | "mastercard";
  /** As the hosted pages offer it. */
  readonly label: string;
  /** How a payment by the customer ends, on a hosted page. */
  readonly inPerson: "approved" | "declined" | "asks the bank";
  /** How a charge ends that nobody is there for, such as a renewal's. */
  readonly unattended: "approved" | "declined";
  readonly declineCode: "generic_decline" | "insufficient_funds";
}

const VISA = { brand: "visa", declineCode: "generic_decline" } as const;

/** They end like Stripe's own test cards, and do the same. */
export const CARDS: readonly Card[] = [
  { ...VISA, last4: "4242", label: "pays", inPerson: "approved", unattended: "approved" },
  {
    brand: "mastercard",
    declineCode: "generic_decline",
    last4: "4444",
    label: "pays",
    inPerson: "approved",
    unattended: "approved",
  },
  {
    ...VISA,
    last4: "0341",
    label: "pays now, fails at every renewal",
    inPerson: "approved",
    unattended: "declined",
  },
  {
    ...VISA,
    last4: "3155",
    label: "asks the bank for approval",
    inPerson: "asks the bank",
    unattended: "approved",
  },
  { ...VISA, last4: "0002", label: "is declined", inPerson: "declined", unattended: "declined" },
  {
    ...VISA,
    last4: "9995",
    label: "has insufficient funds",
    inPerson: "declined",
    unattended: "declined",
    declineCode: "insufficient_funds",
  },
];

/** The card that is taken where none is chosen. */
export const DEFAULT_CARD = "4242";

/** The card that ends on these digits. */
export function cardEnding(last4: string): Card | undefined {
  return CARDS.find((card) => card.last4 === last4);
}
