import { newId } from "#libs/domain/ids.ts";
import { billed, invoiceOf } from "../ledger-story.ts";
import { aPublisher } from "../story.ts";
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
    "invoices.refunds": async () => ({
      succeed: (api) => api.invoices.refunds({ ...here, advertiserId, from: "2026-01-01" }),
      refuse: { 422: (api) => api.invoices.refunds({ ...here, from: "2026-02-30" }) },
    }),
    "invoices.exportRefunds": async () => ({
      succeed: (api) => api.invoices.exportRefunds({ ...here, advertiserId }),
      refuse: { 422: (api) => api.invoices.exportRefunds({ ...here, from: "2026-02", to: "2026-01-31" }) },
    }),
    "invoices.refund": async () => {
      await billed(service, here.workspaceId, 1);
      const of = { ...here, invoiceId: await invoiceOf(service, advertiserId) };
      return {
        succeed: (api) => api.invoices.refund(of),
        refuse: {
          404: (api) => api.invoices.refund({ ...of, invoiceId: newId("invoice") }),
          409: (api) => api.invoices.refund(of),
          422: (api) => api.invoices.refund({ ...of, amount: 1_000_000 }),
        },
      };
    },
    "invoices.revenue": async () => ({
      succeed: (api) => api.invoices.revenue({ ...here, months: 3 }),
      refuse: { 422: (api) => api.invoices.revenue({ ...here, months: 61 }) },
    }),
    "invoices.revenueByDay": async () => ({
      succeed: (api) => api.invoices.revenueByDay({ ...here, days: 7 }),
      refuse: { 422: (api) => api.invoices.revenueByDay({ ...here, days: 366 }) },
    }),
    "connect.get": async () => ({ succeed: (api) => api.connect.get(here), refuse: {} }),
    "connect.start": async () => {
      // A workspace that sells nothing here: nothing can be bought of it until its account is set up.
      const { workspace, person } = await aPublisher(service, "Connected Weekly");
      const of = { workspaceId: workspace.id };
      return {
        succeed: (api) => api.connect.start({ ...of, returnUrl: "https://weekly.example/settings" }),
        refuse: { 422: (api) => api.connect.start({ ...here, returnUrl: "javascript:alert(1)" }) },
        by: { 200: person.cookie },
      };
    },
  };
}
