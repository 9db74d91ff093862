import type { Stripe } from "stripe";
import type { Payments } from "./payments.ts";
import { answered, callStripe } from "./stripe-errors.ts";
import { newIntent, writeIn } from "./stripe-request.ts";

/** Connected accounts: the workspace's owner is the seller and deals with Stripe, which bears losses. */
export function accountCalls(
  stripe: Stripe,
): Pick<Payments, "createAccount" | "onboardingLink" | "readAccount"> {
  return {
    createAccount: ({ workspaceId, email, idempotencyKey }) =>
      callStripe(async () => {
        const account = await stripe.accounts.create(
          {
            controller: {
              fees: { payer: "account" },
              losses: { payments: "stripe" },
              requirement_collection: "stripe",
              stripe_dashboard: { type: "full" },
            },
            ...(email === undefined ? {} : { email }),
            metadata: { workspaceId },
          },
          writeIn(null, idempotencyKey),
        );
        return { accountId: answered("account", account).id };
      }),

    onboardingLink: (accountId, { refreshUrl, returnUrl }) =>
      callStripe(async () => {
        const link = await stripe.accountLinks.create(
          {
            account: accountId,
            type: "account_onboarding",
            refresh_url: refreshUrl,
            return_url: returnUrl,
            collection_options: { fields: "eventually_due" },
          },
          writeIn(null, newIntent("onboarding")),
        );
        return answered("account_link", link).url;
      }),

    readAccount: (accountId) =>
      callStripe(async () => {
        const account = answered("account", await stripe.accounts.retrieve(accountId));
        return {
          id: account.id,
          chargesEnabled: account.charges_enabled,
          payoutsEnabled: account.payouts_enabled,
          detailsSubmitted: account.details_submitted,
        };
      }),
  };
}
