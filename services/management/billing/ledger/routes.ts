import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { fillPeriods, type RevenueWindow, revenueDays, revenueWindow } from "#libs/domain/revenue.ts";
import { api, forMembers } from "../../api/api.ts";
import { asCsvFile } from "../../api/csv.ts";
import { intentOf } from "../../api/idempotency/claims.ts";
import { inPageTurn } from "../../api/turns.ts";
import { readConsistently } from "../../store/consistent-read.ts";
import type { Billing } from "../mirror.ts";
import { invoicesCsv, refundsCsv } from "./csv.ts";
import { presentInvoice } from "./present.ts";
import { listInvoices } from "./queries.ts";
import { refundInvoice } from "./refund.ts";
import { listRefunds, presentRefund } from "./refund-list.ts";
import { findCurrency, findRevenue } from "./revenue-queries.ts";

export const invoiceRoutes = ({ now, ...ports }: Omit<Billing, "db">) => ({
  list: forMembers(api.invoices.list, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const read = () => readConsistently(db, (trx) => listInvoices(trx, workspaceId, input, input));
    const { envelope, rows } = await inPageTurn(db, workspaceId, reply.raw, read);
    return { ...envelope, items: rows.map(presentInvoice) };
  }),

  export: forMembers(api.invoices.export, async ({ input, context: { db, access, reply } }) => {
    const file = await invoicesCsv(db, access.workspaceId, input);
    asCsvFile(reply, "invoices", now());
    return file;
  }),

  refunds: forMembers(api.invoices.refunds, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId } = access;
    const read = () => listRefunds(db, workspaceId, input, input);
    const { envelope, rows } = await inPageTurn(db, workspaceId, reply.raw, read);
    return { ...envelope, items: rows.map(presentRefund) };
  }),

  exportRefunds: forMembers(api.invoices.exportRefunds, async ({ input, context: { db, access, reply } }) => {
    const file = await refundsCsv(db, access.workspaceId, input);
    asCsvFile(reply, "refunds", now());
    return file;
  }),

  refund: forMembers(api.invoices.refund, async ({ input, context: { db, access, reply } }) => {
    const { workspaceId, actor } = access;
    const idempotencyKey = intentOf(reply.request.claim);
    const refund = { ...input, workspaceId, idempotencyKey };
    return presentInvoice(await refundInvoice({ ...ports, now, db }, actor, refund));
  }),

  revenue: forMembers(api.invoices.revenue, async ({ input: { months }, context: { db, access } }) => {
    const revenue = await readRevenue(
      db,
      access.workspaceId,
      revenueWindow(months, ports.payments.moment(now()).atProcessor),
    );
    return {
      months,
      currencies: revenue.map(({ rows, ...ofCurrency }) => ({
        ...ofCurrency,
        rows: rows.map(({ period: month, ...figures }) => ({ month, ...figures })),
      })),
    };
  }),

  revenueByDay: forMembers(
    api.invoices.revenueByDay,
    async ({ input: { days }, context: { db, access } }) => {
      const revenue = await readRevenue(
        db,
        access.workspaceId,
        revenueDays(days, ports.payments.moment(now()).atProcessor),
      );
      return {
        days,
        currencies: revenue.map(({ rows, ...ofCurrency }) => ({
          ...ofCurrency,
          rows: rows.map(({ period, ...figures }) => ({ date: new Date(period).toISOString(), ...figures })),
        })),
      };
    },
  ),
});

async function readRevenue(db: Kysely<Tables>, workspaceId: string, window: RevenueWindow) {
  const [facts, home] = await readConsistently(db, async (trx) => [
    await findRevenue(trx, workspaceId, window),
    await findCurrency(trx, workspaceId),
  ]);
  return fillPeriods(window, facts, home);
}
