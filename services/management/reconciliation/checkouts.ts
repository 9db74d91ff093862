import { closeCheckout } from "../checkout/sessions.ts";
import type { Services } from "../services.ts";
import type { Findings } from "./findings.ts";
import { listOpenCheckouts } from "./queries.ts";

/** Asked for one by one. A checkout lasts a day, so that those behind the first ones come up as these end. */
const MOST_CHECKOUTS = 500;

/** Closes what is open here and has been paid or has expired at the processor. */
export async function compareCheckouts(services: Services, findings: Findings): Promise<void> {
  for (const { id, provider_account: account } of await listOpenCheckouts(services.db, MOST_CHECKOUTS)) {
    findings.countCheckout();
    await findings.attempt(id, async () => {
      const provider = await services.payments.readCheckoutSession(id, account);
      if (await closeCheckout(services, provider, account)) findings.addRepair("checkout", id);
    });
  }
}
