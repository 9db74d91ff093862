import { conflict } from "#libs/http/index.ts";
import type { Services } from "../services.ts";
import { findAccount } from "./queries.ts";

/**
 * The account at the processor that a workspace's sales are made in from now on: its own where Connect is on and it has
 * one, else null, the platform's. 409 while the processor does not let its own charge. What is sold already stays where
 * it was sold: ask its row's `provider_account`.
 */
export async function sellingAccountOf(services: Services, workspaceId: string): Promise<string | null> {
  if (!services.sales.connect) return null;
  const account = await findAccount(services.db, workspaceId);
  if (account === undefined) return null;
  if (!account.charges_enabled) {
    throw conflict({
      formErrors: [
        "This publisher cannot take payments yet: the account at the payment processor is not set up.",
      ],
    });
  }
  return account.account_id;
}
