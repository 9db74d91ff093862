// What payments can do

export type * from "./accounts.ts";
export type * from "./checkouts.ts";
export * from "./errors.ts";
export * from "./money.ts";
export type * from "./payments.ts";
// Stripe, or anything that speaks its API
export { createPayments, type PaymentsOptions } from "./stripe.ts";
export * from "./subscriptions.ts";
