import type {
  Account,
  Charge,
  CheckoutSession,
  Coupon,
  Customer,
  Discount,
  Dispute,
  Invoice,
  InvoiceItem,
  InvoicePayment,
  MissingCardBehavior,
  PaymentIntent,
  PaymentMethod,
  PortalSession,
  Price,
  Product,
  PromotionCode,
  Refund,
  Subscription,
} from "./records.ts";

/** A checkout session, with what Stripe keeps of it and does not show. */
export interface Checkout {
  readonly id: string;
  readonly session: CheckoutSession;
  readonly priceId: string;
  readonly trialDays: number;
  readonly withoutCard?: MissingCardBehavior;
  readonly feePercent?: number | null;
  readonly subscriptionMetadata: Readonly<Record<string, string>>;
  /** The promotion code that was typed in. */
  readonly promotionCodeId?: string | null;
  /** The subscription whose first payment the customer's bank has been asked to approve. */
  readonly pendingSubscriptionId?: string | null;
}

/** An onboarding link of a connected account. It works once, for some minutes. */
export interface Onboarding {
  readonly id: string;
  readonly account: string;
  readonly refreshUrl: string;
  readonly returnUrl: string;
  readonly expiresAt: number;
}

/** When to announce the end of a subscription's trial; the id is the subscription's. */
export interface Reminder {
  readonly id: string;
  readonly at: number;
}

/** The stored objects, by kind. */
export interface Records {
  account: Account;
  charge: Charge;
  checkout: Checkout;
  coupon: Coupon;
  customer: Customer;
  discount: Discount;
  dispute: Dispute;
  invoice: Invoice;
  invoiceItem: InvoiceItem;
  invoicePayment: InvoicePayment;
  onboarding: Onboarding;
  paymentIntent: PaymentIntent;
  paymentMethod: PaymentMethod;
  portal: PortalSession;
  price: Price;
  product: Product;
  promotionCode: PromotionCode;
  refund: Refund;
  reminder: Reminder;
  subscription: Subscription;
}

export type RecordKind = keyof Records;
