import { newStripeId } from "./ids.ts";
import type { Account } from "./records.ts";
import type { World } from "./world.ts";

export interface AccountTerms {
  readonly type: "custom" | "express" | "none" | "standard";
  readonly country: string;
  readonly email: string | null;
  readonly currency: string;
  readonly businessName: string | null;
  readonly businessUrl: string | null;
  readonly controller: Omit<NonNullable<Account["controller"]>, "is_controller" | "type">;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What Stripe wants to know before an account may sell. */
const WANTED = ["business_profile.url", "external_account", "tos_acceptance.date"];

/** A connected account that has not been set up yet. */
export function newAccount(terms: AccountTerms, now: number): Account {
  return {
    id: newStripeId("acct"),
    object: "account",
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      minority_owned_business_designation: null,
      name: terms.businessName,
      product_description: null,
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: terms.businessUrl,
    },
    business_type: null,
    capabilities: {},
    charges_enabled: false,
    controller: { ...terms.controller, is_controller: true, type: "application" },
    country: terms.country,
    created: now,
    default_currency: terms.currency,
    details_submitted: false,
    email: terms.email,
    future_requirements: requirements([], null),
    metadata: { ...terms.metadata },
    payouts_enabled: false,
    requirements: requirements(WANTED, "requirements.past_due"),
    type: terms.type,
  };
}

/**
 * - `ready`: sells and is paid
 * - `under review`: has told all, and waits for Stripe
 */
export type Onboarded = "ready" | "under review";

/** Ends an account's set-up. */
export function setUpAccount(world: World, account: Account, end: Onboarded): Account {
  const ready = end === "ready";
  const after: Account = {
    ...account,
    capabilities: { card_payments: ready ? "active" : "pending", transfers: ready ? "active" : "pending" },
    charges_enabled: ready,
    details_submitted: true,
    payouts_enabled: ready,
    requirements: requirements([], ready ? null : "requirements.pending_verification"),
  };
  world.within(null).records.save("account", after);
  world.within(account.id).emit("account.updated", after, {
    charges_enabled: account.charges_enabled,
    details_submitted: account.details_submitted,
    payouts_enabled: account.payouts_enabled,
  });
  return after;
}

type Requirements = NonNullable<Account["requirements"]>;

function requirements(wanted: string[], disabledReason: Requirements["disabled_reason"]): Requirements {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: wanted,
    disabled_reason: disabledReason,
    errors: [],
    eventually_due: wanted,
    past_due: wanted,
    pending_verification: disabledReason === "requirements.pending_verification" ? ["individual"] : [],
  };
}
