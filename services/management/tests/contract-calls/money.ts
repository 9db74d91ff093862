import { billed } from "../ledger-story.ts";
import type { CallsByName, Ground } from "./ground.ts";

/** Invoices, the revenue from them, and the account it goes to. */
export function moneyCalls({ service, here, running }: Ground): CallsByName {
  const { id: advertiserId } = running.subscription.advertiser;

  return {
    "invoices.list": async () => {
      await billed(service, here.workspaceId, 1);
      return {
        succeed: (api) => api.invoices.list({ ...here, status: "paid", advertiserId }),
        refuse: { 422: (api) => api.invoices.list({ ...here, from: "2026-02", to: "2026-01" }) },
      };
    },
    "invoices.export": async () => ({
      succeed: (api) => api.invoices.export({ ...here, advertiserId }),
      refuse: { 422: (api) => api.invoices.export({ ...here, from: "2026-13" }) },
    }),
    "invoices.revenue": async () => ({
      succeed: (api) => api.invoices.revenue({ ...here, months: 3 }),
      refuse: { 422: (api) => api.invoices.revenue({ ...here, months: 61 }) },
    }),
  };
}
