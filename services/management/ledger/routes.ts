import { fillPeriods, type RevenueWindow, revenueDays, revenueWindow } from "#libs/domain/revenue.ts";
import { findCurrency } from "../advertisers/queries.ts";
import { api } from "../api.ts";
import { readAtOneMoment } from "../one-moment.ts";
import type { Services } from "../services.ts";
import { streamCsv } from "./csv.ts";
import { presentInvoice } from "./present.ts";
import { findRevenue, invoicesAfter, listInvoices } from "./queries.ts";

/** Invoices read at a time for an export. */
const EXPORT_PART = 500;

export const invoiceRoutes = {
  list: api.invoices.list.handler(async ({ input, context: { services } }) => {
    const { envelope, rows } = await readAtOneMoment(services.db, (trx) =>
      listInvoices(trx, input.workspaceId, input, input),
    );
    return { ...envelope, items: rows.map(presentInvoice) };
  }),

  export: api.invoices.export.handler(async ({ input, context: { services, reply } }) => {
    const file = await streamCsv((after) =>
      invoicesAfter(services.db, input.workspaceId, input, after, EXPORT_PART),
    );
    const today = new Date(services.now()).toISOString().slice(0, 10);
    reply.headers({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="invoices-${today}.csv"`,
    });
    return file;
  }),

  revenue: api.invoices.revenue.handler(async ({ input, context: { services } }) => {
    const { workspaceId, months } = input;
    const currencies = await readRevenue(services, workspaceId, revenueWindow(months, services.now()));
    return {
      months,
      currencies: currencies.map(({ rows, ...ofCurrency }) => ({
        ...ofCurrency,
        rows: rows.map(({ period: month, ...figures }) => ({ month, ...figures })),
      })),
    };
  }),

  revenueByDay: api.invoices.revenueByDay.handler(async ({ input, context: { services } }) => {
    const { workspaceId, days } = input;
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
