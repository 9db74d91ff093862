export const CHECKOUT_STATUSES = ["open", "complete", "expired"] as const;

/** `open` until paid or given up; only a `complete` session takes a submission. */
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];
