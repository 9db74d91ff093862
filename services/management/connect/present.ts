import type { AccountState } from "./queries.ts";

/** What the processor lets an account do, in the API's words. */
export function presentState(state: AccountState) {
  return {
    chargesEnabled: state.charges_enabled,
    payoutsEnabled: state.payouts_enabled,
    detailsSubmitted: state.details_submitted,
  };
}
