import { fillPeriods, type RevenueWindow, revenueDays, revenueWindow } from "#libs/domain/revenue.ts";
import { findCurrency } from "../advertisers/queries.ts";
import { api, forMembers } from "../api.ts";
import { readAtOneMoment } from "../one-moment.ts";
import type { Services } from "../services.ts";
import { streamCsv } from "./csv.ts";
import { presentInvoice } from "./present.ts";
import { findRevenue, invoicesAfter, listInvoices } from "./queries.ts";

/** Invoices read at a time for an export. */
const EXPORT_PART = 500;

export const invoiceRoutes = {
  list: forMembers(api.invoices.list, async ({ input, context: { services, access } }) => {
    const { envelope, rows } = await readAtOneMoment(services.db, (trx) =>
      listInvoices(trx, access.workspaceId, input, input),
    );
    return { ...envelope, items: rows.map(presentInvoice) };
  }),

  export: forMembers(api.invoices.export, async ({ input, context: { services, access, reply } }) => {
    const file = await streamCsv((after) =>
      invoicesAfter(services.db, access.workspaceId, input, after, EXPORT_PART),
    );
    const today = new Date(services.now()).toISOString().slice(0, 10);
    reply.headers({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="invoices-${today}.csv"`,
    });
    return file;
  }),

  revenue: forMembers(api.invoices.revenue, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { months } = input;
    const currencies = await readRevenue(services, workspaceId, revenueWindow(months, services.now()));
    return {
      months,
      currencies: currencies.map(({ rows, ...ofCurrency }) => ({
        ...ofCurrency,
        rows: rows.map(({ period: month, ...figures }) => ({ month, ...figures })),
      })),
    };
  }),

  revenueByDay: forMembers(api.invoices.revenueByDay, async ({ input, context: { services, access } }) => {
    const { workspaceId } = access;
    const { days } = input;
    const currencies = await readRevenue(services, workspaceId, revenueDays(days, services.now()));
    return {
      days,
      currencies: currencies.map(({ rows, ...ofCurrency }) => ({
        ...ofCurrency,
        rows: rows.map(({ period, ...figures }) => ({ date: new Date(period).toISOString(), ...figures })),
      })),
    };
  }),
};

async function readRevenue({ db }: Pick<Services, "db">, workspaceId: string, window: RevenueWindow) {
  const [facts, home] = await readAtOneMoment(db, async (trx) => [
    await findRevenue(trx, workspaceId, window),
    await findCurrency(trx, workspaceId),
  ]);
  return fillPeriods(window, facts, home);
}
