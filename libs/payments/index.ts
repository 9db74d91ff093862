// What payments can do

export * from "./errors.ts";
export type * from "./money.ts";
export type * from "./payments.ts";
// The sandbox: Stripe's API and pages on this machine, where no money moves
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox-server.ts";
// Stripe, or anything that speaks its API
export { createPayments, type PaymentsOptions } from "./stripe.ts";
export * from "./subscriptions.ts";
